/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The chain of dependent rounds in a hash, in the registers of one kernel.  No
 * hash is faster.  The chain does not read, write or choose anything.
 */
#include "core-variants.h"

LYRA2_INTERNAL void CHAIN(uint32_t lanes, uint64_t rounds);

CORE void chain(struct sponge *s, int n, uint64_t rounds)
{
	const struct shape k = { 30, LYRA2_BLAMKA, 128, 12, 1, false, true };

	while (rounds-- > 0)
		permute(k, s, GROUPS(n), 1);
}

/* The rounds of 1, 2 or 4 lanes, which advance together */
CORE_ENTRY void CHAIN(uint32_t lanes, uint64_t rounds)
{
	struct sponge s[CORE_LANES];
	struct state x;
	int i;

	state_init(&x);
	x.t = x.b;
	for (i = 0; i < CORE_LANES; i++)
		sponge_take(&s[i], &x, &x);
	if (lanes == 1)
		chain(s, 1, rounds);
	else if (lanes == 2)
		chain(s, 2, rounds);
	else
		chain(s, 4, rounds);
	__asm__ __volatile__("" : : "r"(s) : "memory");
}
