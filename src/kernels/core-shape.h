/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hash can be beside what strings say.  any_NAME(k, ...), here or in
 * core-variants.h, is NAME(...) for the shape k.  libcrypt knows only strings:
 * it has a file of its own in place of both.
 */
#include <stdbool.h>

#include "core-word.h"

/* The parameters that select code: constants in the loops that must be fast. */
struct shape {
	uint32_t version, sponge, rotation, words, rho;
	bool calls;		/* calls the permutation: short, not fast */
};

#if CORE_LANES == 4 && defined(__OPTIMIZE__) && !defined(LYRA2_CALLS)
#define EACH(n, statement) do { \
	{ enum { i = 0 }; statement; } \
	if ((n) > 1) { enum { i = 1 }; statement; } \
	if ((n) > 2) { enum { i = 2 }; statement; } \
	if ((n) > 2) { enum { i = 3 }; statement; } \
} while (0)
#endif

/* The addition of G */
CORE row any_row_mix(struct shape k, row x, row y, int lanes)
{
	return k.sponge == LYRA2_BLAKE2B ? row_add(x, y) : row_mix(x, y, lanes);
}

/* The same of words */
CORE uint64_t any_word_mix(struct shape k, uint64_t x, uint64_t y)
{
	return k.sponge == LYRA2_BLAKE2B ? word_fix(x + y) : word_mix(x, y);
}
