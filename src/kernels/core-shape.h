/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hash can be beside what strings say, and what the functions of
 * core-sponge.h need of that.  core-variants.h has the rest.
 */
#include <stdbool.h>

/* The parameters that select code: constants in the loops that must be fast. */
struct shape {
	uint32_t version, sponge, rotation, words, rho;
	bool calls;		/* calls the permutation: short, not fast */
};

struct state;

/* The addition of G */
CORE row any_row_mix(struct shape k, row x, row y, int lanes)
{
	return k.sponge == LYRA2_BLAKE2B ? row_add(x, y) : row_mix(x, y, lanes);
}

CORE uint64_t any_word_mix(struct shape k, uint64_t x, uint64_t y);
CORE void any_permute(struct shape k, struct state *s, int n, uint32_t rounds);
