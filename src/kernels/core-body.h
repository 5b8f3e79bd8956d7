/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2, phase by phase.  Each kernel compiles this source with its own row of
 * four 64-bit words.  Names are the paper's.
 */
#include "core-sweep.h"

/* ---- setup ---- */

/* Absorbs the input, and fills rows 0, 1 and 2, before the loop of setup. */
CORE void begin_lane(struct shape k, const struct lyra2_job *job,
		     struct lane *l, uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = any_row_words(k, p->cols);
	const struct modulus cols = any_modulus(k, p->cols);
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

/*
 * Prepares the sweep in which each lane i fills its row0.  row1 and prev1 are
 * in the slice of lane (i + off) % lanes.
 */
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
	const uint32_t lanes = p->lanes, height = p->rows / lanes;
	const size_t len = any_row_words(k, p->cols);
	struct window w = { 1, 0, 2, 1, 2, 1 };
	uint32_t off = 0, sync = 4, row0, i;

	for (row0 = 3; row0 < height; row0++) {
		setup_sweeps(lane, lanes, off, row0, &w, len);
		sweep_lanes(k, SETUP, lane, lanes, any_modulus(k, p->cols));
		window_next(k, &w);
		if (row0 == sync) {
			sync += w.sqrt / 2;
			off = (off + 1) % lanes;
		}
	}
	for (i = 0; i < lanes; i++) {
		lane[i].sweep.prev0 = lane[i].slice + (height - 1) * len;
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
	const struct modulus cols = any_modulus(k, p->cols);
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
 * The lanes advance row by row, in any order.  In the paper they are threads:
 * between two of their barriers, no lane reads a row that another lane writes.
 */
CORE void wander_together(struct shape k, const struct lyra2_job *job,
			  struct lane *lane, uint32_t sqrt)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = any_row_words(k, p->cols);
	const uint32_t height = p->rows / p->lanes, half = height / 2;
	const uint64_t visits = (uint64_t)p->t_cost * height;
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
		sweep_lanes(k, WANDERING, lane, p->lanes,
			    any_modulus(k, p->cols));
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

/* Clears the key only here: it may overlap with the password or the salt. */
CORE_ONCE void wrap_up(struct shape k, const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i;

	memset(job->key, 0, job->keylen);
	for (i = 0; i < job->params.lanes; i++)
		wrap_up_lane(k, job, &lane[i]);
}
