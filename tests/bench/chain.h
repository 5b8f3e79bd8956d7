/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The chain of dependent rounds in a hash, in the registers of one kernel.  No
 * hash is faster.  With reads, each round of wandering also waits for a block
 * that the round before it chose, in a row that stays in the first cache: a
 * kernel may hide a hundredth of that.
 */
#include "core-blamka.h"
#include "core-sweep.h"

LYRA2_INTERNAL void CHAIN(uint32_t lanes, uint64_t rounds, uint64_t reads);

CORE void chain(struct state *s, int n, uint64_t rounds)
{
	while (rounds-- > 0)
		permute(s, n);
}

CORE void chain_reads(struct state *s, int n, uint64_t rounds)
{
	static uint64_t words[256 * 12] __attribute__((aligned(64)));
	const struct modulus cols = { .n = 256, .power = true };
	const struct row row = row_at(words, 256);
	struct block x[CORE_LANES];
	struct next next[CORE_LANES];

	EACH(n) next[i] = choose_columns(&s[i], cols);
	while (rounds-- > 0) {
		EACH(n) x[i] = block_load(row, 0);
		if (n == 1)	/* only one lane reads two such blocks */
			x[0] = block_add(x[0], block_load(row, next[0].col0));
		EACH(n) x[i] = block_add_late(x[i], block_load(row,
							       next[i].col1));
		EACH(n) absorb(&s[i], x[i]);
		permute_next(s, n, cols, next);
	}
}

/* The rounds of 1, 2 or 4 lanes, which advance together */
CORE_ENTRY void CHAIN(uint32_t lanes, uint64_t rounds, uint64_t reads)
{
	struct state s[CORE_LANES];
	int i;

	for (i = 0; i < CORE_LANES; i++)
		state_init(&s[i]);
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
