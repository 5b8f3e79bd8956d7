/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BLAKE2b: version 2.5, and version 3 as John the Ripper has it.  The build
 * defines CORE_VERSION and CORE_ROTATION.
 */
#include "core-word.h"

/* How many lanes look ahead: see core-ahead.h. */
enum { CORE_AHEAD = VEC_AHEAD_BLAKE2B };

/* f(x, y) = x + y */
CORE vec mix(vec x, vec y, int n)
{
	(void)n;
	return vec_add(x, y);
}

CORE uint64_t word_mix(uint64_t x, uint64_t y)
{
	return word_fix(x + y);
}
