/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A sweep: the columns of a row in turn, in all lanes that advance together.
 * In wandering, row0, row1, prev0 and prev1 can be the same: all blocks are
 * read before one is written, and row1 is read again after row0 is written.
 */
#include "core-alone.h"

/*
 * How far ahead cache lines are fetched.  A line takes as long to arrive from
 * memory as five columns take to compute.  One that arrives much earlier leaves
 * the nearest cache before its use.
 */
enum { FETCH = 5 * COLUMN };

/* ---- setup: a new row ---- */

/* row0 = prev0 ^ rand, and row1 ^= rot(rand); row0 from right to left */
CORE void fill_row(struct lane *l, int n, uint64_t cols)
{
	const size_t end = COLUMN * (size_t)cols;
	struct row row0[CORE_LANES], row1[CORE_LANES];
	struct row prev0[CORE_LANES], prev1[CORE_LANES];
	struct block old[CORE_LANES], x[CORE_LANES];
	struct state s[CORE_LANES];
	size_t at;

	EACH(n) s[i] = l[i].s;
	EACH(n) row0[i] = row_at(l[i].sweep.row0, cols);
	EACH(n) row1[i] = row_at(l[i].sweep.row1, cols);
	EACH(n) prev0[i] = row_at(l[i].sweep.prev0, cols);
	EACH(n) prev1[i] = row_at(l[i].sweep.prev1, cols);
	for (at = 0; at < end; at += COLUMN) {
		const size_t to = end - COLUMN - at;

		EACH(n) block_fetch(row0[i], to - FETCH);
		EACH(n) block_fetch(row1[i], at + FETCH);
		EACH(n) old[i] = block_load(prev0[i], at);
		EACH(n) x[i] = block_add(old[i], block_load(prev1[i], at));
		EACH(n) x[i] = block_add(x[i], block_load(row1[i], at));
		EACH(n) absorb(&s[i], x[i]);
		permute(s, n);
		EACH(n) x[i] = rate(&s[i]);
		EACH(n) block_store(row0[i], to, block_xor(old[i], x[i]));
		EACH(n) block_xor_to(row1[i], at, block_rotate(x[i]));
	}
	EACH(n) l[i].s = s[i];
}

/* ---- wandering ---- */

/* Fetches the first blocks, which no earlier column fetches ahead. */
CORE void fetch_first(struct row r)
{
	size_t at;

	for (at = 0; at < FETCH; at += COLUMN)
		block_fetch(r, at);
}

/* Each lane writes its own row0, and reads row1 of any lane. */
CORE void wander_row_shared(struct lane *l, int n, struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct row row0[CORE_LANES], row1[CORE_LANES], prev0[CORE_LANES];
	struct block old[CORE_LANES], x[CORE_LANES];
	struct next next[CORE_LANES];
	struct state s[CORE_LANES];
	size_t at;

	EACH(n) s[i] = l[i].s;
	EACH(n) row0[i] = row_at(l[i].sweep.row0, cols.n);
	EACH(n) row1[i] = row_at(l[i].sweep.row1, cols.n);
	EACH(n) prev0[i] = row_at(l[i].sweep.prev0, cols.n);
	EACH(n) fetch_first(row0[i]);
	EACH(n) fetch_first(row1[i]);
	EACH(n) next[i] = choose_columns(&s[i], cols);
	for (at = 0; at < end; at += COLUMN) {
		EACH(n) block_fetch(row0[i], at + FETCH);
		EACH(n) block_fetch(row1[i], at + FETCH);
		EACH(n) old[i] = block_load(row0[i], at);
		EACH(n) x[i] = block_add(old[i], block_load(row1[i], at));
		EACH(n) x[i] = block_add_late(x[i], block_load(prev0[i],
							next[i].col1));
		EACH(n) absorb(&s[i], x[i]);
		permute_next(s, n, cols, next);
		EACH(n) x[i] = block_xor(old[i], rate(&s[i]));
		EACH(n) block_store(row0[i], at, x[i]);
	}
	EACH(n) l[i].s = s[i];
}

/* The sweep of a single lane, which writes both row0 and row1 */
CORE void wander_row_alone(struct lane *l, struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	const struct row row0 = row_at(l->sweep.row0, cols.n);
	const struct row row1 = row_at(l->sweep.row1, cols.n);
	const struct row prev0 = row_at(l->sweep.prev0, cols.n);
	const struct row prev1 = row_at(l->sweep.prev1, cols.n);
	struct state s = l->s;
	struct next next = choose_columns(&s, cols);
	struct block x;
	size_t at;

	for (at = 0; at < end; at += COLUMN) {
		block_fetch(row0, at + FETCH);
		block_fetch(row1, at + FETCH);
		if (CORE_VERSION == 25)
			l->sweep.last = next.col0;
		x = block_add(block_load(row0, at), block_load(row1, at));
		x = block_add_late(x, block_load(prev0, next.col0));
		x = block_add_late(x, block_load(prev1, next.col1));
		absorb(&s, x);
		permute_next(&s, 1, cols, &next);
		block_xor_to(row0, at, rate(&s));
		block_xor_to(row1, at, block_rotate(rate(&s)));
	}
	l->s = s;
}

/* ---- all lanes ---- */

enum phase { SETUP, WANDERING };

/* Sweeps over a row in each of n lanes. */
CORE void sweep(enum phase phase, struct lane *l, int n, struct modulus cols)
{
	if (phase == WANDERING)
		wander_row_shared(l, n, cols);
	else
		fill_row(l, n, cols.n);
}

/* Two lanes, if the kernel has several */
enum { PAIR = CORE_LANES < 2 ? CORE_LANES : 2 };

/* Sweeps over a row in each lane, in as many lanes at once as possible. */
CORE void sweep_lanes(enum phase phase, struct lane *l, uint32_t lanes,
		      struct modulus cols)
{
	for (; lanes >= CORE_LANES; l += CORE_LANES, lanes -= CORE_LANES)
		sweep(phase, l, CORE_LANES, cols);
	for (; lanes >= PAIR; l += PAIR, lanes -= PAIR)
		sweep(phase, l, PAIR, cols);
	for (; lanes > 0; l++, lanes--)
		sweep(phase, l, 1, cols);
}
