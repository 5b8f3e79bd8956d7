/* SPDX-License-Identifier: BSD-2-Clause */
/* What bash-lyra2 does with the hash of lyra2. */
#ifndef ALG_BASH256_H
#define ALG_BASH256_H

#include <stddef.h>
#include <stdint.h>

/* Replaces y, 32 bytes, by HMAC(HMAC(bash256(phrase), setting), y). */
extern void bash256_outer(const char *phrase, size_t phr_size,
			  const char *setting, size_t set_size, uint8_t *y);

#endif
