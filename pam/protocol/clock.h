/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock for timeouts. */
#ifndef PAM_LYRA2_CLOCK_H
#define PAM_LYRA2_CLOCK_H

#include <stdint.h>

/* Milliseconds since a fixed point in the past; the same for all processes. */
int64_t clock_ms(void);

#endif
