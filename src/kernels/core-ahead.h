/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Computes the words that choose the next columns before their rows are ready.
 * For these words, the second half of a permutation runs once more, in general
 * registers.  A multiplication takes three cycles there, and three to five in
 * vectors.  A word in a general register can be used as an address at once.
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

/* The rows after the columns; of d and t, only words 0 and 2 of each lane */
struct stored {
	uint64_t a[4 * ROWS], c[4 * ROWS], d[2 * ROWS], t[2 * ROWS];
};

/* Stores rows.  Words that are read from memory keep no vector unit busy. */
CORE void words_store(uint64_t w[4 * ROWS], rows a)
{
	rows_store(w, a);
	__asm__("" : "+m"(*(uint64_t (*)[4 * ROWS])w));
}

CORE void sponge_store(struct stored *w, const struct sponge *s)
{
	words_store(w->a, s->a);
	words_store(w->c, s->c);
	rows_words(w->d, s->d);
	rows_words(w->t, s->t);
}

/*
 * Returns the offsets of the columns that words 0 and 2 of b will choose.
 * Their diagonals have words 3 and 1 of a, in this order.  Without word_fix(),
 * clang 14 moves the offsets of two lanes to a vector and back.
 */
CORE struct next words_choose(struct shape k, const struct stored *w, int lane,
			      struct modulus cols)
{
	const uint64_t *a = w->a + 4 * lane, *c = w->c + 4 * lane;
	const uint64_t *d = w->d + 2 * lane, *t = w->t + 2 * lane;
	const struct words w0 = { a[ROW_WORD3], word_ror(t[0], 63),
				  c[ROW_WORD1], d[1] };
	const struct words w2 = { a[ROW_WORD1], word_ror(t[1], 63),
				  c[ROW_WORD3], d[0] };

	return (struct next){ word_fix(column_early(word_g(k, w0), cols)),
			      word_fix(column_early(word_g(k, w2), cols)) };
}

/* One round, and the next columns as soon as their words are known */
CORE void permute_ahead(struct shape k, struct sponge *s, int n,
			struct modulus cols, struct next *next)
{
	struct stored w[CORE_LANES];

	columns(k, s, GROUPS(n));
	EACH(GROUPS(n), sponge_store(&w[i], &s[i]));
	EACH(n, next[i] = words_choose(k, &w[i / ROWS], i % ROWS, cols));
	diagonals(k, s, GROUPS(n));
}

#endif
