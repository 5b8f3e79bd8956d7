/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2, phase by phase.  Each kernel compiles this source with its own row of
 * four 64-bit words.  Names are the paper's.  Two rows of the matrix can be the
 * same row, so each sweep loads again after a store.
 */
#include <string.h>

#include "bytes.h"
#include "core-ahead.h"

/* The rows that a lane works on; row1 and prev1 are NULL for the first rows. */
struct sweep {
	uint64_t *row0, *row1, *prev0, *prev1;
	size_t last;		/* the last column of prev0: any_last() */
};

/* One of the paper's threads. */
struct lane {
	struct state s;
	uint64_t *slice;	/* its part of the matrix */
	struct sweep sweep;
	uint64_t out[12];	/* the rate, before it becomes key bytes */
	uint8_t in[64];		/* a block of input */
	size_t fill;		/* bytes in it so far */
};

static_assert(sizeof(struct lane) <= LYRA2_LANE_BYTES, "lane memory");

/* ---- what all phases do ---- */

/* For rare permutations, and for code that should be short */
static __attribute__((noinline)) CORE_TARGET void
permute_call(struct shape k, struct state *s, uint32_t rounds)
{
	any_permute(k, s, 1, rounds);
}

CORE void permute_full(struct shape k, struct state *s)
{
	permute_call(k, s, any_rounds(k));
}

CORE void permute_reduced(struct shape k, struct state *s, int n)
{
	if (k.calls)
		permute_call(k, s, any_rho(k));
	else
		any_permute(k, s, n, any_rho(k));
}

CORE struct place place(struct shape k, uint64_t *start, struct modulus cols,
			size_t offset)
{
	return any_place_at(k, place_first(start, cols), offset);
}

CORE struct block block_at(struct shape k, uint64_t *start, struct modulus cols,
			   size_t offset)
{
	return any_block_load(k, place(k, start, cols, offset));
}

CORE void block_put(struct shape k, uint64_t *start, struct modulus cols,
		    size_t offset, struct block x)
{
	any_block_store(k, place(k, start, cols, offset), x);
}

/* What a visit adds, by exclusive or, to row1 */
CORE void block_visit(struct shape k, struct place p, struct block x)
{
	any_block_xor_to(k, p, any_block_rotate(k, x));
}

/* Absorbs x[i] and leaves the new rate there. */
CORE void duplex(struct shape k, struct state *s, struct block *x, int n)
{
	absorb_rows(s, x, n);
	permute_reduced(k, s, n);
	EACH(n, x[i] = any_rate(k, &s[i]));
}

/* duplex(), which also finds the next columns if these lanes look ahead */
CORE void duplex_next(struct shape k, struct state *s, struct block *x, int n,
		      struct modulus cols, struct next *next)
{
	if (!any_looks_ahead(k, n)) {
		duplex(k, s, x, n);
		return;
	}
	absorb_rows(s, x, n);
	any_permute_ahead(k, s, n, cols, next);
	EACH(n, x[i] = any_rate(k, &s[i]));
}

/* ---- bootstrapping: password, salt, parameters, padding ---- */

CORE row row_le(const uint8_t *p)
{
	const uint64_t w[4] = { bytes_get64(p), bytes_get64(p + 8),
				bytes_get64(p + 16), bytes_get64(p + 24) };

	return row_get(w);
}

/* A block of input has 64 bytes, whatever the length of other blocks. */
CORE_ONCE void absorb_block(struct shape k, struct lane *l)
{
	l->s.a = row_xor(l->s.a, row_le(l->in));
	l->s.b = row_xor(l->s.b, row_le(l->in + 32));
	permute_full(k, &l->s);
	l->fill = 0;
}

CORE_ONCE void absorb(struct shape k, struct lane *l, const uint8_t *p,
		      size_t n)
{
	while (n > 0) {
		size_t room = sizeof(l->in) - l->fill;
		size_t m = n < room ? n : room;

		memcpy(l->in + l->fill, p, m);
		l->fill += m;
		p += m;
		n -= m;
		if (l->fill == sizeof(l->in))
			absorb_block(k, l);
	}
}

CORE void bootstrap(struct shape k, const struct lyra2_job *job,
		    struct lane *l, uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const uint32_t field[8] = {
		(uint32_t)job->keylen, (uint32_t)job->passwordlen,
		(uint32_t)job->saltlen, p->t_cost, p->rows, p->cols,
		p->lanes, index,
	};
	const unsigned n = p->lanes > 1 ? 32 : 24;
	uint8_t le[32];
	unsigned i;

	state_init(&l->s);
	for (i = 0; i < n; i++)
		le[i] = (uint8_t)(field[i / 4] >> 8 * (i % 4));
	l->fill = 0;
	absorb(k, l, job->password, job->passwordlen);
	absorb(k, l, job->salt, job->saltlen);
	absorb(k, l, le, n);
	memset(l->in + l->fill, 0, sizeof(l->in) - l->fill);
	l->in[l->fill] = 0x80;
	l->in[sizeof(l->in) - 1] ^= 0x01;
	absorb_block(k, l);
}

/* ---- one row: a sweep over its columns ---- */

/* Squeezes row 0, right to left, and permutes after the last block as well. */
CORE void fill_row0(struct shape k, struct lane *l, struct modulus cols)
{
	size_t at = COLUMN * (size_t)cols.n;
	struct state s;

	state_copy(&s, &l->s);
	while (at > 0) {
		at -= COLUMN;
		block_put(k, l->slice, cols, at, any_rate(k, &s));
		permute_call(k, &s, any_rho(k));
	}
	state_copy(&l->s, &s);
}

/*
 * A column of a new row, which grows right to left: row0 = prev0 ^ rand; and
 * row1 ^= rot(rand).  full: the sweep has row1 and prev1, which is known when
 * this is compiled.
 */
CORE void fill_column(struct shape k, struct state *s, const struct sweep *r,
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

/* Several lanes: each writes its row0 and reads row1 of any. */
CORE void wander_column(struct shape k, struct state *s, const struct sweep *r,
			int n, struct modulus cols, size_t at,
			struct next *next)
{
	struct block old[CORE_LANES], x[CORE_LANES];

	EACH(n, prefetch(place(k, r[i].row0, cols, at + CORE_AHEAD)));
	EACH(n, prefetch(place(k, r[i].row1, cols, at + CORE_AHEAD)));
	if (!any_looks_ahead(k, n))
		EACH(n, next[i] = any_next_columns(k, &s[i], cols));
	EACH(n, old[i] = block_at(k, r[i].row0, cols, at));
	EACH(n, x[i] = block_add(old[i], block_at(k, r[i].row1, cols, at)));
	EACH(n, x[i] = block_add(x[i], block_at(k, r[i].prev0, cols,
						next[i].col1)));
	duplex_next(k, s, x, n, cols, next);
	EACH(n, block_put(k, r[i].row0, cols, at, block_xor(old[i], x[i])));
}

enum phase { FIRST_ROWS, SETUP, WANDERING };

/* Fetches the columns that no column before them fetches. */
CORE void prefetch_first(struct shape k, uint64_t *start, struct modulus cols)
{
	size_t at;

	for (at = 0; at < CORE_AHEAD; at += COLUMN)
		prefetch(place(k, start, cols, at));
}

/* A row in each of n lanes. */
CORE void sweep_row(struct shape k, enum phase phase, struct lane *l, int n,
		    struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct state s[CORE_LANES];
	struct sweep r[CORE_LANES];
	struct next next[CORE_LANES];
	size_t at;

	k.calls = k.calls || phase == FIRST_ROWS;
	EACH(n, state_copy(&s[i], &l[i].s));
	EACH(n, r[i] = l[i].sweep);
	if (phase == WANDERING) {
		EACH(n, prefetch_first(k, r[i].row0, cols));
		EACH(n, prefetch_first(k, r[i].row1, cols));
		EACH(n, next[i] = any_next_columns(k, &s[i], cols));
	}
	for (at = 0; at < end; at += COLUMN)
		if (phase == WANDERING)
			wander_column(k, s, r, n, cols, at, next);
		else
			fill_column(k, s, r, n, phase == SETUP, cols, at);
	EACH(n, state_copy(&l[i].s, &s[i]));
}

/* One lane writes both rows. */
CORE void wander_row(struct shape k, struct state *state, struct sweep *sweep,
		     struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct state s;
	const struct sweep r = *sweep;
	const struct place prev0 = place_any(r.prev0, cols);
	const struct place prev1 = place_any(r.prev1, cols);
	struct next next;
	size_t at;

	state_copy(&s, state);
	next = any_next_columns(k, &s, cols);
	for (at = 0; at < end; at += COLUMN) {
		const struct place row0 = place(k, r.row0, cols, at);
		const struct place row1 = place(k, r.row1, cols, at);
		struct block x, y, z;

		prefetch(place(k, r.row0, cols, at + CORE_AHEAD));
		prefetch(place(k, r.row1, cols, at + CORE_AHEAD));
		if (!any_looks_ahead(k, 1))
			next = any_next_columns(k, &s, cols);
		any_keep_last(k, &sweep->last, next.col0);
		/* The operand that is ready last comes last. */
		x = block_add(any_block_load(k, row0), any_block_load(k, row1));
		y = any_block_load(k, any_place_at(k, prev0, next.col0));
		z = any_block_load(k, any_place_at(k, prev1, next.col1));
		x = block_add(block_fix(block_add(block_fix(x), y)), z);
		duplex_next(k, &s, &x, 1, cols, &next);
		any_block_xor_to(k, row0, x);
		block_visit(k, row1, x);
	}
	state_copy(state, &s);
}

/* One row in each lane */
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

/* ---- setup ---- */

/* What precedes the loop of setup: the sponge, and rows 0, 1 and 2. */
CORE void begin_lane(struct shape k, const struct lyra2_job *job,
		     struct lane *l, uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = any_row_words(k, p->cols);
	const struct modulus cols = modulus(p->cols);
	uint64_t *m = job->matrix + index * (p->rows / p->lanes) * len;

	bootstrap(k, job, l, index);
	l->slice = m;
	fill_row0(k, l, cols);
	l->sweep = (struct sweep){ .row0 = m + len, .prev0 = m };
	sweep_row(k, FIRST_ROWS, l, 1, cols);
	l->sweep = (struct sweep){ .row0 = m + 2 * len, .prev0 = m + len,
				   .row1 = any_early_row1(k, m) };
	sweep_row(k, FIRST_ROWS, l, 1, cols);
}

CORE_ONCE void begin(struct shape k, const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i;

	for (i = 0; i < job->params.lanes; i++)
		begin_lane(k, job, &lane[i], i);
}

/* The rows that setup visits again: a window that doubles, round by round. */
struct window {
	uint32_t row1, prev1, wnd, stp, sqrt, gap;
};

CORE void window_next(struct shape k, struct window *w)
{
	w->prev1 = w->row1;
	w->row1 = (uint32_t)(((uint64_t)w->row1 + w->stp) % w->wnd);
	if (w->row1 != 0)
		return;
	/* gap is 1 or, mod 2^32, -1. */
	w->stp = any_step(k, w->sqrt, w->wnd) + w->gap;
	w->gap = -w->gap;
	w->wnd *= 2;
	if (w->gap != 1)
		w->sqrt *= 2;
}

/* The sweep of each lane for a new row0; row1 and prev1 are lane i + off's. */
CORE void setup_sweeps(struct lane *lane, uint32_t lanes, uint32_t off,
		       uint32_t row0, const struct window *w, size_t len)
{
	uint32_t i;

	for (i = 0; i < lanes; i++) {
		uint64_t *own = lane[i].slice;
		uint64_t *other = lane[(i + off) % lanes].slice;

		lane[i].sweep = (struct sweep){
			.row0 = own + row0 * len,
			.row1 = other + w->row1 * len,
			.prev0 = own + (row0 - 1) * len,
			.prev1 = other + w->prev1 * len,
		};
	}
}

/* Fills the rest of all slices in step; returns the paper's sqrt. */
CORE uint32_t setup(struct shape k, const struct lyra2_job *job)
{
	const struct lyra2_params *p = &job->params;
	struct lane *lane = job->lanes;
	const uint32_t lanes = p->lanes, rows = p->rows / lanes;
	const size_t len = any_row_words(k, p->cols);
	struct window w = { 1, 0, 2, 1, 2, 1 };
	uint32_t off = 0, sync = 4, row0, i;

	for (row0 = 3; row0 < rows; row0++) {
		setup_sweeps(lane, lanes, off, row0, &w, len);
		sweep_lanes(k, SETUP, lane, lanes, modulus(p->cols));
		window_next(k, &w);
		if (row0 == sync) {
			sync += w.sqrt / 2;
			off = (off + 1) % lanes;
		}
	}
	for (i = 0; i < lanes; i++) {
		lane[i].sweep.prev0 = lane[i].slice + (rows - 1) * len;
		lane[i].sweep.prev1 = lane[i].slice + w.prev1 * len;
	}
	return w.sqrt;
}

/* ---- wandering ---- */

CORE void wander_alone(struct shape k, const struct lyra2_job *job,
		       struct lane *l)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = any_row_words(k, p->cols);
	const struct modulus cols = modulus(p->cols);
	uint64_t n = (uint64_t)p->t_cost * p->rows;
	struct sweep *r = &l->sweep;

	while (n-- > 0) {
		r->row0 = l->slice + any_lsw(k, &l->s, 0) % p->rows * len;
		r->row1 = l->slice + any_lsw(k, &l->s, 1) % p->rows * len;
		wander_row(k, &l->s, r, cols);
		r->prev0 = r->row0;
		r->prev1 = r->row1;
	}
}

/*
 * The lanes advance in step, in any order: between two barriers of the paper's
 * threads, no lane reads a row that another writes.
 */
CORE void wander_together(struct shape k, const struct lyra2_job *job,
			  struct lane *lane, uint32_t sqrt)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = any_row_words(k, p->cols);
	const uint32_t rows = p->rows / p->lanes, half = rows / 2;
	const uint64_t visits = (uint64_t)p->t_cost * rows;
	uint64_t visit, sync = sqrt, off0 = 0, offp = half;
	uint32_t i;

	for (visit = 0; visit < visits; visit++) {
		for (i = 0; i < p->lanes; i++) {
			struct lane *l = &lane[i];
			uint64_t r0 = off0 + row_word0(l->s.a) % half;
			uint64_t rp = offp + row_word2(l->s.a) % half;
			uint64_t j = row_word0(l->s.b) % p->lanes;

			l->sweep.row0 = l->slice + r0 * len;
			l->sweep.row1 = lane[j].slice + rp * len;
		}
		sweep_lanes(k, WANDERING, lane, p->lanes, modulus(p->cols));
		for (i = 0; i < p->lanes; i++)
			lane[i].sweep.prev0 = lane[i].sweep.row0;
		if (visit == sync) {
			sync += sqrt;
			off0 = half - off0;
			offp = half - offp;
		}
	}
}

CORE void wander(struct shape k, const struct lyra2_job *job, uint32_t sqrt)
{
	if (job->params.lanes == 1)
		wander_alone(k, job, job->lanes);
	else
		wander_together(k, job, job->lanes, sqrt);
}

/* ---- wrap-up ---- */

CORE_ONCE void squeeze(struct shape k, struct lane *l)
{
	permute_full(k, &l->s);
	row_put(l->out, l->s.a);
	row_put(l->out + 4, l->s.b);
	row_put(l->out + 8, l->s.c);
}

CORE void key_add(uint8_t *key, const uint64_t *out, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		key[i] ^= (uint8_t)(out[i / 8] >> 8 * (i % 8));
}

/* Adds, by exclusive or, what the lane squeezes to the key. */
CORE void wrap_up_lane(struct shape k, const struct lyra2_job *job,
		       struct lane *l)
{
	const struct block last = block_at(k, l->sweep.row0,
					   modulus(job->params.cols),
					   any_last(k, l->sweep.last));
	const size_t most = 8 * any_row_words(k, 1);
	uint8_t *key = job->key;
	size_t left, n;

	absorb_rows(&l->s, &last, 1);
	for (left = job->keylen; left > 0; left -= n) {
		n = left < most ? left : most;
		squeeze(k, l);
		key_add(key, l->out, n);
		key += n;
	}
}

/* The key is cleared only now: it may be where password or salt are. */
CORE_ONCE void wrap_up(struct shape k, const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i;

	memset(job->key, 0, job->keylen);
	for (i = 0; i < job->params.lanes; i++)
		wrap_up_lane(k, job, &lane[i]);
}
