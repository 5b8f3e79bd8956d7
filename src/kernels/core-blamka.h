/* SPDX-License-Identifier: BSD-2-Clause */
/* Version 3 with BlaMka, the function of all strings. */
#include "core-word.h"

#define CORE_VERSION 30
#define CORE_ROTATION 128

/* How many lanes look ahead: see core-ahead.h. */
enum { CORE_AHEAD = VEC_AHEAD };

/*
 * f(x, y) = x + y + 2 * low half of x * low half of y.  n is the number of
 * lanes that advance together.
 */
CORE vec mix(vec x, vec y, int n)
{
	return vec_mix(x, y, n);
}

/* y is ready last: only one addition waits for the product. */
CORE uint64_t word_mix(uint64_t x, uint64_t y)
{
	const uint64_t sum = word_fix(x + y);

	return sum + word_fix(2 * word_fix((uint32_t)x)) *
		     word_fix((uint32_t)y);
}
