/* SPDX-License-Identifier: BSD-2-Clause */
/* The sponge, with BlaMka: its permutation, what it absorbs and squeezes. */
#include <assert.h>
#include <stdbool.h>

#include "core-block.h"

/* The state of a lane: v[0..3], v[4..7], v[8..11], v[12..15]. */
struct state {
	row a, b, c, d;
	row t;			/* b before its last rotation; if ROW_SPLIT */
};

/* States of ROWS lanes, in registers; low: the lower half of each word of b */
struct sponge {
	rows a, b, c, d, t, low;
};

/*
 * Offsets of the next columns: col0 in prev0 and col1 in prev1.  With several
 * lanes, col1 is in prev0, and col0 is not used.
 */
struct next {
	size_t col0, col1;
};

/* ---- the sponge (LYRA2 paper, section 3; BLAKE2b, RFC 7693, 3.1) ---- */

/* The rest of G after its first addition, on the four columns at once */
CORE void columns_from_d(struct shape k, struct sponge *s, int n)
{
	EACH(n, s[i].t = rows_xor(s[i].d, s[i].a));
	EACH(n, s[i].d = rows_ror32(s[i].t));
	EACH(n, s[i].c = any_mix(k, s[i].c, s[i].d, rows_ror32_low(s[i].t), n));
	EACH(n, s[i].t = rows_xor(s[i].b, s[i].c));
	EACH(n, s[i].b = rows_ror24(s[i].t));
	EACH(n, s[i].a = any_mix(k, s[i].a, s[i].b, rows_ror24_low(s[i].t), n));
	EACH(n, s[i].t = rows_xor(s[i].d, s[i].a));
	EACH(n, s[i].d = rows_ror16(s[i].t));
	EACH(n, s[i].c = any_mix(k, s[i].c, s[i].d, rows_ror16_low(s[i].t), n));
	EACH(n, s[i].t = rows_xor(s[i].b, s[i].c));
	EACH(n, s[i].b = rows_ror63(s[i].t));
	EACH(n, s[i].low = rows_ror63_low(s[i].t));
}

/* G on the four columns.  Row a may be ready as late as b: both absorb. */
CORE void columns(struct shape k, struct sponge *s, int n)
{
	EACH(n, s[i].a = any_mix_late(k, s[i].a, s[i].b, n));
	columns_from_d(k, s, n);
}

/*
 * Rotates a, c and d, which makes columns of the diagonals; turn_back()
 * reverses that.  Row b, which is ready last, is not rotated, so no rotation
 * delays it.
 */
CORE void turn(struct sponge *s, int n)
{
	EACH(n, s[i].a = rows_left3(s[i].a));
	EACH(n, s[i].d = rows_left2(s[i].d));
	EACH(n, s[i].c = rows_left1(s[i].c));
}

CORE void turn_back(struct sponge *s, int n)
{
	EACH(n, s[i].a = rows_left1(s[i].a));
	EACH(n, s[i].d = rows_left2(s[i].d));
	EACH(n, s[i].c = rows_left3(s[i].c));
}

CORE void diagonals(struct shape k, struct sponge *s, int n)
{
	turn(s, n);
	EACH(n, s[i].a = any_mix(k, s[i].a, s[i].b, s[i].low, n));
	columns_from_d(k, s, n);
	turn_back(s, n);
}

CORE void permute(struct shape k, struct sponge *s, int n, uint32_t rounds)
{
	uint32_t r;

	for (r = 0; r < rounds; r++) {
		columns(k, s, n);
		diagonals(k, s, n);
	}
}

/*
 * Loads the states of one or two lanes into registers; sponge_give() stores one
 * of them.  Both copy row by row: gcc copies a whole struct through 512-bit
 * registers if the kernel may use them.
 */
CORE void sponge_take(struct sponge *s, const struct state *x,
		      const struct state *y)
{
	(void)y;
	s->a = rows_of(x->a, y->a);
	s->b = rows_of(x->b, y->b);
	s->c = rows_of(x->c, y->c);
	s->d = rows_of(x->d, y->d);
	if (ROW_SPLIT)
		s->t = rows_of(x->t, y->t);
}

CORE void sponge_give(const struct sponge *s, struct state *x, int lane)
{
	(void)lane;
	x->a = rows_lane(s->a, lane);
	x->b = rows_lane(s->b, lane);
	x->c = rows_lane(s->c, lane);
	x->d = rows_lane(s->d, lane);
	if (ROW_SPLIT)
		x->t = rows_lane(s->t, lane);
}

CORE void state_init(struct state *s)
{
	static const uint64_t iv[16] = {
		0, 0, 0, 0, 0, 0, 0, 0,
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
		0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f,
		0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	};

	s->a = row_get(iv);
	s->b = row_get(iv + 4);
	s->c = row_get(iv + 8);
	s->d = row_get(iv + 12);
}

/* ---- the rate ---- */

CORE struct block rate(const struct sponge *s, int lane)
{
	(void)lane;
	return (struct block){ rows_lane(s->a, lane), rows_lane(s->b, lane),
			       rows_lane(s->c, lane) };
}

/* One block for each lane that a register holds */
struct blocks {
	rows a, b, c;
};

CORE struct blocks blocks_of(const struct block *x, const struct block *y)
{
	(void)y;
	return (struct blocks){ rows_of(x->a, y->a), rows_of(x->b, y->b),
				rows_of(x->c, y->c) };
}

CORE struct blocks blocks_add(struct blocks x, struct blocks y)
{
	return (struct blocks){ rows_add(rows_fix(x.a), y.a),
				rows_add(rows_fix(x.b), y.b),
				rows_add(rows_fix(x.c), y.c) };
}

CORE void sponge_absorb(struct sponge *s, struct blocks x)
{
	s->a = rows_xor(s->a, x.a);
	s->b = rows_xor(s->b, x.b);
	s->c = rows_xor(s->c, x.c);
}

/* The least significant word of rot^i(rate) */
CORE uint64_t lsw(const struct state *s, uint32_t i)
{
	const row r = i < 2 ? s->a : s->b;

	return i % 2 == 0 ? row_word0(r) : row_word2(r);
}

/* The offset of the column that a word chooses */
CORE size_t column(uint64_t word, struct modulus cols)
{
	return (size_t)modulo(word, cols) * COLUMN;
}

/* column() of t, rotated by 63.  A rotation by 59 also multiplies t by 2^4. */
CORE size_t column_early(uint64_t t, struct modulus cols)
{
	static_assert(COLUMN == 16, "a rotation by 59 multiplies by it");

	if (cols.mask != 0)
		return (size_t)(word_ror(t, 59) & COLUMN * cols.mask);
	return column(word_ror(t, 63), cols);
}

/* The next columns of a lane whose permutation has ended */
CORE struct next next_columns(const struct sponge *s, int lane,
			      struct modulus cols)
{
	struct state x;

	sponge_give(s, &x, lane);
	if (ROW_SPLIT)
		return (struct next){ column_early(row_word0(x.t), cols),
				      column_early(row_word2(x.t), cols) };
	return (struct next){ column(lsw(&x, 2), cols),
			      column(lsw(&x, 3), cols) };
}

/* Returns true if n lanes learn the next columns before a permutation ends. */
CORE bool looks_ahead(int n)
{
	return n <= ROW_AHEAD;
}
