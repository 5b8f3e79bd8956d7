/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of core-sponge.h and core-ahead.h for any shape: version 2.5,
 * the sponges BLAKE2b and half-BlaMka, other rotations, blocks and rounds.
 * Strings need none of them, and libcrypt does not have this file.
 */
#include <string.h>

#include "core-ahead.h"

/* ---- the sponge ---- */

/* Half-BlaMka: the columns; then b, c and d rotate by one, two, three words. */
CORE void permute_half(struct shape k, struct sponge *s, int n, uint32_t rounds)
{
	uint32_t r;

	for (r = 0; r < rounds; r++) {
		columns(k, s, n);
		EACH(n, s[i].b = rows_left1(s[i].b));
		EACH(n, s[i].t = rows_left1(s[i].t));
		EACH(n, s[i].c = rows_left2(s[i].c));
		EACH(n, s[i].d = rows_left3(s[i].d));
	}
}

CORE void any_permute(struct shape k, struct sponge *s, int n, uint32_t rounds)
{
	if (k.sponge == LYRA2_HALF_BLAMKA)
		permute_half(k, s, n, rounds);
	else
		permute(k, s, n, rounds);
}

/* Rounds of the full permutation; any_rho(): of the reduced one */
CORE uint32_t any_rounds(struct shape k)
{
	return k.sponge == LYRA2_HALF_BLAMKA ? 24 : 12;
}

CORE uint32_t any_rho(struct shape k)
{
	return k.rho;
}

/* ---- blocks of 8, 10 or 12 words ---- */

CORE size_t any_row_words(struct shape k, uint32_t cols)
{
	return (size_t)cols * k.words;
}

CORE struct place any_place_at(struct shape k, struct place first,
			       size_t offset)
{
	if (k.words == 12)
		return place_at(first, offset);
	return place_moved(first, (ROW_SPLIT ? 8 : k.words) / 2 * offset,
			   (ROW_SPLIT ? k.words - 8 : k.words) / 2 * offset);
}

/* The words past the length of a block are 0. */
CORE struct block any_block_load(struct shape k, struct place p)
{
	uint64_t tail[4] = { 0, 0, 0, 0 };

	if (k.words == 12)
		return block_load(p);
	memcpy(tail, p.c, (k.words - 8) * sizeof(*tail));
	return (struct block){ row_load(p.a), row_load(p.b), row_get(tail) };
}

CORE void any_block_store(struct shape k, struct place p, struct block x)
{
	uint64_t tail[4];

	if (k.words == 12) {
		block_store(p, x);
		return;
	}
	row_store(p.a, x.a);
	row_store(p.b, x.b);
	row_put(tail, x.c);
	memcpy(p.c, tail, (k.words - 8) * sizeof(*tail));
}

CORE void any_block_xor_to(struct shape k, struct place p, struct block x)
{
	if (k.words == 12)
		block_xor_to(p, x);
	else
		any_block_store(k, p, block_xor(any_block_load(k, p), x));
}

/* rot(): word j of the result is word (j + rotation / 64) mod words of x. */
CORE struct block any_block_rotate(struct shape k, struct block x)
{
	const row zero = row_xor(x.a, x.a);
	const int one = k.rotation == 256;

	if (k.words == 12)
		return one ? (struct block){ x.b, x.c, x.a } : block_rotate(x);
	if (k.words == 8)
		return one ? (struct block){ x.b, x.a, zero } :
			     (struct block){ row_join(x.a, x.b),
					     row_join(x.b, x.a), zero };
	return one ? (struct block){ x.b, row_join(row_left2(x.c), x.a),
				     row_join(x.a, zero) } :
		     (struct block){ row_join(x.a, x.b), row_join(x.b, x.c),
				     row_join(row_left2(x.a), zero) };
}

/* Returns the rate x with zeros for the words past the length of a block. */
CORE struct block any_rate(struct shape k, struct block x)
{
	if (k.words == 12)
		return x;
	if (k.words == 8)
		x.c = row_xor(x.c, x.c);
	else
		x.c = row_join(row_left2(x.c), row_xor(x.c, x.c));
	return x;
}

/* ---- the rows and columns that the state chooses ---- */

CORE uint64_t any_lsw(struct shape k, const struct state *s, uint32_t i)
{
	const uint32_t word = i * k.rotation / 64 % k.words;

	return word < 8 ? lsw(s, word / 2) : row_word0(s->c);
}

CORE struct next any_next_columns(struct shape k, const struct sponge *s,
				  int lane, struct modulus cols)
{
	struct state x;

	if (k.words == 12 && k.rotation == 128)
		return next_columns(s, lane, cols);
	sponge_give(s, &x, lane);
	return (struct next){ column(any_lsw(k, &x, 2), cols),
			      column(any_lsw(k, &x, 3), cols) };
}

CORE bool any_looks_ahead(struct shape k, int n)
{
	return !k.calls && looks_ahead(n);
}

/*
 * Rotation 256: word 0 of c chooses col0, word 0 of a col1.  Row c is ready
 * last, so its word is read before turn_back(), while it is word 3.
 */
CORE void permute_256(struct shape k, struct sponge *s, struct modulus cols,
		      struct next *next)
{
	uint64_t c[4 * ROWS];

	columns(k, s, 1);
	turn(s, 1);
	columns(k, s, 1);
	words_store(c, s->c);
	turn_back(s, 1);
	next->col0 = column(c[ROW_WORD3], cols);
	next->col1 = column(row_word0(rows_lane(s->a, 0)), cols);
}

/*
 * Returns true if permute_ahead() computes this shape sooner.  With VPROR, rows
 * rotate in one cycle, so words are faster only with BlaMka.
 */
CORE bool words_lead(struct shape k)
{
#ifdef ROW_VPROR
	return k.sponge == LYRA2_BLAMKA;
#else
	return k.sponge != LYRA2_HALF_BLAMKA;
#endif
}

CORE void any_permute_ahead(struct shape k, struct sponge *s, int n,
			    struct modulus cols, struct next *next)
{
	if (k.rotation == 256) {
		permute_256(k, s, cols, next);
	} else if (words_lead(k)) {
		permute_ahead(k, s, n, cols, next);
	} else {
		any_permute(k, s, GROUPS(n), k.rho);
		EACH(n, next[i] = any_next_columns(k, &s[i / ROWS], i % ROWS,
						   cols));
	}
}

/* ---- lanes ---- */

/* Returns how many of the lanes that are left advance together. */
CORE int any_together(struct shape k, bool wandering, uint32_t lanes,
		      uint32_t left)
{
	(void)wandering;
	(void)lanes;
	if (left >= 4 && CORE_LANES >= 4 && !k.calls)
		return 4;
	return left >= 2 && CORE_LANES >= 2 && !k.calls ? 2 : 1;
}

/* ---- version 2.5 ---- */

/* Returns row1 for row 2, or NULL if it has none.  row0 is row 0. */
CORE uint64_t *any_early_row1(struct shape k, uint64_t *row0)
{
	return k.version == 25 ? row0 : NULL;
}

/* Returns the step of setup without gap. */
CORE uint32_t any_step(struct shape k, uint32_t sqrt, uint32_t wnd)
{
	return k.version == 25 ? wnd : sqrt;
}

/* In version 2.5 the wrap-up absorbs the block in the last col0. */
CORE void any_keep_last(struct shape k, size_t *last, size_t col0)
{
	(void)k;
	*last = col0;
}

CORE size_t any_last(struct shape k, size_t last)
{
	return k.version == 25 ? last : 0;
}
