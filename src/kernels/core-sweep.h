/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A sweep: the columns of a row in turn, in all lanes that advance together.
 * row0 and row1 can be the same row, so row1 is loaded again after row0 is
 * stored.
 */
#include "core-alone.h"

CORE void permute_reduced(struct shape k, struct sponge *s, int n)
{
	if (k.calls)
		permute_call(k, s, any_rho(k));
	else
		any_permute(k, s, GROUPS(n), any_rho(k));
}

/* Xors rot(x) into a block of row1. */
CORE void block_visit(struct shape k, struct place p, struct block x)
{
	any_block_xor_to(k, p, any_block_rotate(k, x));
}

/* In each lane i, absorbs x[i] and then sets x[i] to the new rate. */
CORE void duplex(struct shape k, struct sponge *s, struct block *x, int n)
{
	EACH(GROUPS(n), sponge_absorb(&s[i], blocks_of(&x[ROWS * i],
						       &x[OTHER(i, n)])));
	permute_reduced(k, s, n);
	EACH(n, x[i] = any_rate(k, rate(&s[i / ROWS], i % ROWS)));
}

/* duplex() of x + y, which also sets next if these lanes look ahead */
CORE void duplex_next(struct shape k, struct sponge *s, struct block *x,
		      const struct block *y, int n, struct modulus cols,
		      struct next *next)
{
	EACH(GROUPS(n), sponge_absorb(&s[i], blocks_add(
		blocks_of(&x[ROWS * i], &x[OTHER(i, n)]),
		blocks_of(&y[ROWS * i], &y[OTHER(i, n)]))));
	if (any_looks_ahead(k, n))
		any_permute_ahead(k, s, n, cols, next);
	else
		permute_reduced(k, s, n);
	EACH(n, x[i] = any_rate(k, rate(&s[i / ROWS], i % ROWS)));
}

/* ---- a new row ---- */

/*
 * A column of a new row: row0 = prev0 ^ rand, and row1 ^= rot(rand).  row0 is
 * filled from right to left.  full, a constant, says that the sweep has both
 * row1 and prev1.
 */
CORE void fill_column(struct shape k, struct sponge *s, const struct sweep *r,
		      int n, bool full, struct modulus cols, size_t at)
{
	const size_t to = COLUMN * (size_t)cols.n - COLUMN - at;
	struct block old[CORE_LANES], x[CORE_LANES];

	EACH(n, prefetch(place(k, r[i].row0, cols, to - CORE_AHEAD)));
	EACH(n, old[i] = x[i] = block_at(k, r[i].prev0, cols, at));
	if (full || r[0].prev1)
		EACH(n, x[i] = block_add(x[i], block_at(k, r[i].prev1, cols,
							at)));
	if (full || r[0].row1) {
		EACH(n, prefetch(place(k, r[i].row1, cols, at + CORE_AHEAD)));
		EACH(n, x[i] = block_add(x[i], block_at(k, r[i].row1, cols,
							at)));
	}
	duplex(k, s, x, n);
	EACH(n, block_put(k, r[i].row0, cols, to, block_xor(old[i], x[i])));
	if (full || r[0].row1)
		EACH(n, block_visit(k, place(k, r[i].row1, cols, at), x[i]));
}

/* One column.  Each lane writes its own row0 and reads row1 of any lane. */
CORE void wander_column(struct shape k, struct sponge *s, const struct sweep *r,
			int n, struct modulus cols, size_t at,
			struct next *next)
{
	struct block old[CORE_LANES], x[CORE_LANES], y[CORE_LANES];

	EACH(n, prefetch(place(k, r[i].row0, cols, at + CORE_AHEAD)));
	EACH(n, prefetch(place(k, r[i].row1, cols, at + CORE_AHEAD)));
	if (!any_looks_ahead(k, n))
		EACH(n, next[i] = any_next_columns(k, &s[i / ROWS], i % ROWS,
						   cols));
	EACH(n, old[i] = block_at(k, r[i].row0, cols, at));
	EACH(n, x[i] = block_add(old[i], block_at(k, r[i].row1, cols, at)));
	EACH(n, y[i] = block_at(k, r[i].prev0, cols, next[i].col1));
	duplex_next(k, s, x, y, n, cols, next);
	EACH(n, block_put(k, r[i].row0, cols, at, block_xor(old[i], x[i])));
}

enum phase { FIRST_ROWS, SETUP, WANDERING };

/* Fetches the first columns, which no earlier column fetches ahead. */
CORE void prefetch_first(struct shape k, uint64_t *start, struct modulus cols)
{
	size_t at;

	for (at = 0; at < CORE_AHEAD; at += COLUMN)
		prefetch(place(k, start, cols, at));
}

/* Sweeps over a row in each of n lanes. */
CORE void sweep_row(struct shape k, enum phase phase, struct lane *l, int n,
		    struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct sponge s[CORE_LANES];
	struct sweep r[CORE_LANES];
	struct next next[CORE_LANES];
	size_t at;

	k.calls = k.calls || phase == FIRST_ROWS;
	EACH(GROUPS(n), sponge_take(&s[i], &l[ROWS * i].s, &l[OTHER(i, n)].s));
	EACH(n, r[i] = l[i].sweep);
	if (phase == WANDERING) {
		EACH(n, prefetch_first(k, r[i].row0, cols));
		EACH(n, prefetch_first(k, r[i].row1, cols));
		EACH(n, next[i] = any_next_columns(k, &s[i / ROWS], i % ROWS,
						   cols));
	}
	for (at = 0; at < end; at += COLUMN)
		if (phase == WANDERING)
			wander_column(k, s, r, n, cols, at, next);
		else
			fill_column(k, s, r, n, phase == SETUP, cols, at);
	EACH(n, sponge_give(&s[i / ROWS], &l[i].s, i % ROWS));
}

/* Sweeps over row0 and row1 in a single lane, which writes both. */
CORE void wander_row(struct shape k, struct state *state, struct sweep *sweep,
		     struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct sponge s;
	const struct sweep r = *sweep;
	const struct place prev0 = place_any(r.prev0, cols);
	const struct place prev1 = place_any(r.prev1, cols);
	struct next next;
	size_t at;

	sponge_take(&s, state, state);
	next = any_next_columns(k, &s, 0, cols);
	for (at = 0; at < end; at += COLUMN) {
		const struct place row0 = place(k, r.row0, cols, at);
		const struct place row1 = place(k, r.row1, cols, at);
		struct block x, y, z;

		prefetch(place(k, r.row0, cols, at + CORE_AHEAD));
		prefetch(place(k, r.row1, cols, at + CORE_AHEAD));
		if (!any_looks_ahead(k, 1))
			next = any_next_columns(k, &s, 0, cols);
		any_keep_last(k, &sweep->last, next.col0);
		/* The operand that is ready last comes last. */
		x = block_add(any_block_load(k, row0), any_block_load(k, row1));
		y = any_block_load(k, any_place_at(k, prev0, next.col0));
		z = any_block_load(k, any_place_at(k, prev1, next.col1));
		x = block_add(block_fix(x), y);
		duplex_next(k, &s, &x, &z, 1, cols, &next);
		any_block_xor_to(k, row0, x);
		block_visit(k, row1, x);
	}
	sponge_give(&s, state, 0);
}

/* Sweeps over a row in each lane, in as many lanes at once as possible. */
CORE void sweep_lanes(struct shape k, enum phase phase, struct lane *lane,
		      uint32_t lanes, struct modulus cols)
{
	uint32_t i;
	int n;

	for (i = 0; i < lanes; i += (uint32_t)n) {
		n = any_together(k, phase == WANDERING, lanes, lanes - i);
		if (n == 4)
			sweep_row(k, phase, &lane[i], 4, cols);
		else if (n == 2)
			sweep_row(k, phase, &lane[i], 2, cols);
		else
			sweep_row(k, phase, &lane[i], 1, cols);
	}
}
