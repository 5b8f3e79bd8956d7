/* SPDX-License-Identifier: BSD-2-Clause */
/* Random bytes for salts. */
#ifndef LYRA2_ENTROPY_H
#define LYRA2_ENTROPY_H

#include "core.h"

/*
 * Fills n bytes at p with random bytes.  Returns 0, or -1 with errno of
 * getrandom(2).
 */
LYRA2_INTERNAL int entropy_read(uint8_t *p, size_t n);

#endif
