/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The chain of dependent rounds in a hash, in the registers of one kernel.  No
 * hash is faster.  With reads, each round of wandering also waits for a block
 * that the round before it chose, in a row that stays in the first cache: a
 * kernel may hide a hundredth of that.
 */
#include "core-variants.h"

#include "core-sweep.h"

LYRA2_INTERNAL void CHAIN(uint32_t lanes, uint64_t rounds, uint64_t reads);

static const struct shape shape = { 30, LYRA2_BLAMKA, 128, 12, 1, false, true };

CORE void chain(struct sponge *s, int n, uint64_t rounds)
{
	while (rounds-- > 0)
		permute(shape, s, GROUPS(n), 1);
}

CORE void chain_reads(struct sponge *s, int n, uint64_t rounds)
{
	static uint64_t words[256 * 12] __attribute__((aligned(64)));
	const struct shape k = shape;
	const struct modulus cols = any_modulus(k, 256);
	const struct place first = place_any(words, cols);
	struct block x[CORE_LANES], y[CORE_LANES];
	struct next next[CORE_LANES];

	EACH(n, next[i] = any_next_columns(k, &s[i / ROWS], i % ROWS, cols));
	while (rounds-- > 0) {
		if (!any_looks_ahead(k, n))
			EACH(n, next[i] = any_next_columns(k, &s[i / ROWS],
							   i % ROWS, cols));
		EACH(n, x[i] = any_block_load(k, first));
		EACH(n, y[i] = any_block_load(k, any_place_at(k, first,
							      next[i].col1)));
		if (n == 1)	/* only one lane reads two such blocks */
			x[0] = block_add(x[0], any_block_load(k, any_place_at(
						k, first, next[0].col0)));
		duplex_next(k, s, x, y, n, cols, next);
	}
}

/* The rounds of 1, 2 or 4 lanes, which advance together */
CORE_ENTRY void CHAIN(uint32_t lanes, uint64_t rounds, uint64_t reads)
{
	struct sponge s[CORE_LANES];
	struct state x;
	int i;

	state_init(&x);
	x.t = x.b;
	for (i = 0; i < CORE_LANES; i++)
		sponge_take(&s[i], &x, &x);
	if (lanes == 1) {
		chain(s, 1, rounds);
		chain_reads(s, 1, reads);
	} else if (lanes == 2) {
		chain(s, 2, rounds);
		chain_reads(s, 2, reads);
	} else {
		chain(s, 4, rounds);
		chain_reads(s, 4, reads);
	}
	__asm__ __volatile__("" : : "r"(s) : "memory");
}
