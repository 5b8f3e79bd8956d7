/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words that choose the next columns, ahead of their rows: the second half
 * of a permutation, again, in general registers.  There a multiplication takes
 * three cycles, where that of vectors takes three to five, and a word need not
 * be moved to become an address.
 */
#ifndef LYRA2_CORE_AHEAD_H
#define LYRA2_CORE_AHEAD_H

#include "core-sponge.h"

/* One word of each row */
struct words {
	uint64_t a, b, c, d;
};

/* G; returns b before its last rotation. */
CORE uint64_t word_g(struct shape k, struct words w)
{
	w.a = any_word_mix(k, w.a, w.b);
	w.d = word_ror(w.d ^ w.a, 32);
	w.c = any_word_mix(k, w.c, w.d);
	w.b = word_ror(w.b ^ w.c, 24);
	w.a = any_word_mix(k, w.a, w.b);
	w.d = word_ror(w.d ^ w.a, 16);
	w.c = any_word_mix(k, w.c, w.d);
	return w.b ^ w.c;
}

/* Through memory, which takes no vector unit's time */
CORE void words_store(uint64_t w[4], row a)
{
	row_store(w, a);
	__asm__("" : "+m"(*(uint64_t (*)[4])w));
}

/* Words 0 and 2 of b, which are in the diagonals of 3 and 1 of a */
CORE struct next words_choose(struct shape k, const struct state *s,
			      struct modulus cols)
{
	uint64_t a[4], c[4];
	struct words w0, w2;

	words_store(a, s->a);
	words_store(c, s->c);
	w0 = (struct words){ a[ROW_WORD3], word_ror(row_word0(s->t), 63),
			     c[ROW_WORD1], row_word2(s->d) };
	w2 = (struct words){ a[ROW_WORD1], word_ror(row_word2(s->t), 63),
			     c[ROW_WORD3], row_word0(s->d) };
	return (struct next){ column_early(word_g(k, w0), cols),
			      column_early(word_g(k, w2), cols) };
}

/* One round, and the next columns as soon as their words are known */
CORE void permute_ahead(struct shape k, struct state *s, int n,
			struct modulus cols, struct next *next)
{
	columns(k, s, n);
	EACH(n, next[i] = words_choose(k, &s[i], cols));
	diagonals(k, s, n);
}

#endif
