/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the next columns before the permutation ends, because the loads from
 * there are what it waits for.  The permutation itself is always computed as a
 * whole: only the addresses are found in another way, as permute_next() says.
 *
 *	permute_ahead()	For the two words, the second half of the permutation
 *			runs once more, in general registers.  A
 *			multiplication takes three cycles there, and five in
 *			vectors, and a word is an address at once.
 *	permute_late()	Takes the two words before their last rotation: for more
 *			lanes, where others compute meanwhile
 *	permute_256()	Rotation 256, where they are words of c and a
 */
#include "core-sponge.h"

/* G on one diagonal; returns its word of b before the last rotation. */
CORE uint64_t word_g(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	a = word_mix(a, b);
	d = word_ror(d ^ a, 32);
	c = word_mix(c, d);
	b = word_ror(b ^ c, 24);
	a = word_mix(a, b);
	d = word_ror(d ^ a, 16);
	c = word_mix(c, d);
	return b ^ c;
}

/*
 * The state between G's columns and diagonals, as far as two diagonals need it.
 * a and c have the kernel's order of words.  t0 and t2 are words 0 and 2 of b
 * before the last rotation.
 */
struct halfway {
	uint64_t a[4], c[4], t0, t2, d0, d2;
};

/*
 * Stores words.  Reading them from memory keeps no vector unit busy, so the
 * compiler must not know what is there.
 */
CORE void words_store(uint64_t w[4], vec x)
{
	vec_store(w, x);
	__asm__("" : "+m"(*(uint64_t (*)[4])w));
}

CORE void halfway_store(struct halfway *w, const struct state *s)
{
	words_store(w->a, s->a);
	words_store(w->c, s->c);
	w->t0 = vec_word0(s->b);
	w->t2 = vec_word2(s->b);
	w->d0 = vec_word0(s->d);
	w->d2 = vec_word2(s->d);
}

/*
 * Words 0 and 2 of b will choose the columns.  Word 0 is in a diagonal with
 * word 3 of a, 1 of c and 2 of d; word 2 with words 1, 3 and 0.  Without
 * word_fix(), clang 14 moves the results of two lanes to a vector and back.
 */
CORE struct next halfway_choose(const struct halfway *w, struct modulus cols)
{
	const uint64_t t0 = word_g(w->a[VEC_WORD3], word_ror(w->t0, 63),
				   w->c[VEC_WORD1], w->d2);
	const uint64_t t2 = word_g(w->a[VEC_WORD1], word_ror(w->t2, 63),
				   w->c[VEC_WORD3], w->d0);

	return (struct next){ column_at(word_fix(t0), cols),
			      column_at(word_fix(t2), cols) };
}

/*
 * Word 0 of c chooses col0, word 0 of a col1.  Of the two c is ready last, so
 * its word is read before turn_back(), while it is word 3.
 */
CORE struct next permute_256(struct state *s, struct modulus cols)
{
	uint64_t c[4];

	g_columns(s, 1);
	turn(s, 1);
	g_columns(s, 1);
	words_store(c, s->c);
	turn_back(s, 1);
	return (struct next){ column_at(word_ror(c[VEC_WORD3], 1), cols),
			      column_at(word_ror(chosen(s, 3), 1), cols) };
}

CORE void permute_ahead(struct state *s, int n, struct modulus cols,
			struct next *next)
{
	struct halfway w[CORE_LANES];

	g_start(s, n);
	EACH(n) halfway_store(&w[i], &s[i]);
	g_end(s, n);
	EACH(n) next[i] = halfway_choose(&w[i], cols);
	g_diagonals(s, n);
}

/* Chooses the columns by b before its last rotation, which column_at() does. */
CORE void permute_late(struct state *s, int n, struct modulus cols,
		       struct next *next)
{
	g_columns(s, n);
	turn(s, n);
	g_start(s, n);
	EACH(n) next[i] = (struct next){ column_at(vec_word0(s[i].b), cols),
					 column_at(vec_word2(s[i].b), cols) };
	g_end(s, n);
	turn_back(s, n);
}

/*
 * permute(), which sets next[i].  Where VEC_AHEAD is 0, vectors are general
 * registers, or there are too few of these.
 */
CORE void permute_next(struct state *s, int n, struct modulus cols,
		       struct next *next)
{
	if (VEC_AHEAD == 0) {
		permute(s, n);
		EACH(n) next[i] = choose_columns(&s[i], cols);
	} else if (CORE_ROTATION == 256) {
		static_assert(CORE_ROTATION != 256 || CORE_LANES == 1,
			      "version 2.5 has one lane");
		*next = permute_256(s, cols);
	} else if (n <= CORE_AHEAD) {
		permute_ahead(s, n, cols, next);
	} else {
		permute_late(s, n, cols, next);
	}
}
