/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parameters that no string can name.  any_NAME(k, ...), here or in
 * core-variants.h, is NAME(...) for the shape k.  libcrypt computes only
 * strings, so it replaces both files with one of its own.
 */
#include <stdbool.h>

#include "core-lanes.h"
#include "core-word.h"

/* The parameters that select code: constants in the loops that must be fast. */
struct shape {
	uint32_t version, sponge, rotation, words, rho;
	bool calls;		/* calls the permutation: short, not fast */
	bool masks;		/* the number of columns is a power of two */
};

#if CORE_LANES == 4 && defined(__OPTIMIZE__) && !defined(LYRA2_CALLS)
#define EACH(n, statement) do { \
	{ enum { i = 0 }; statement; } \
	if ((n) > 1) { enum { i = 1 }; statement; } \
	if ((n) > 2) { enum { i = 2 }; statement; } \
	if ((n) > 2) { enum { i = 3 }; statement; } \
} while (0)
#endif

/* The modulus that chooses columns; k.masks says if it is a power of two. */
CORE struct modulus any_modulus(struct shape k, uint32_t cols)
{
	const struct modulus m = modulus(cols);

	if (k.masks != (m.mask != 0))
		__builtin_unreachable();
	return m;
}

/* The addition of G */
CORE rows any_mix(struct shape k, rows x, rows y, rows low, int n)
{
	(void)low;
	return k.sponge == LYRA2_BLAKE2B ? rows_add(x, y) :
					   rows_mix(x, y, low, n);
}

CORE rows any_mix_late(struct shape k, rows x, rows y, int n)
{
	return k.sponge == LYRA2_BLAKE2B ? rows_add(x, y) :
					   rows_mix_late(x, y, n);
}

/* The addition of G for single words */
CORE uint64_t any_word_mix(struct shape k, uint64_t x, uint64_t y)
{
	return k.sponge == LYRA2_BLAKE2B ? word_fix(x + y) : word_mix(x, y);
}
