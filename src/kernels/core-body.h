/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2, phase by phase.  Each kernel compiles this source with its own vector
 * of four 64-bit words.  Names are the paper's; doc/spec/algorithm of liblyra2
 * has the same steps as text.  To read the rest, follow the includes down:
 * core-sweep.h, core-alone.h, core-ahead.h, core-sponge.h, core-block.h.
 */
#include "core-sweep.h"

/* Words in a row of the matrix */
CORE size_t row_len(const struct lyra2_job *job)
{
	return 12 * (size_t)job->params.cols;
}

/* ---- setup ---- */

/* Absorbs the input, and fills rows 0, 1 and 2, before the loop of setup. */
CORE void begin_lane(const struct lyra2_job *job, struct lane *l,
		     uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const size_t end = COLUMN * (size_t)p->cols, len = row_len(job);
	uint64_t *m = job->matrix + index * (p->rows / p->lanes) * len;
	const struct row row0 = row_at(m, p->cols);
	const struct row row1 = row_at(m + len, p->cols);

	bootstrap(job, l, index);
	l->slice = m;
	fill_row0(l, row0, end);
	fill_early(l, row1, NULL, row0, end);
	fill_early(l, row_at(m + 2 * len, p->cols),
		   CORE_VERSION == 25 ? &row0 : NULL, row1, end);
}

CORE_ONCE void begin(const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i;

	for (i = 0; i < job->params.lanes; i++)
		begin_lane(job, &lane[i], i);
}

/*
 * The rows that setup visits again, those of a window that doubles: row1 takes
 * each of its wnd rows once, in steps of stp.  gap makes stp odd.
 */
struct window {
	uint32_t row1, prev1, wnd, stp, sqrt, gap;
};

CORE void window_next(struct window *w)
{
	w->prev1 = w->row1;
	w->row1 = (uint32_t)(((uint64_t)w->row1 + w->stp) % w->wnd);
	if (w->row1 != 0)
		return;
	/* gap is 1 or, mod 2^32, -1. */
	w->stp = (CORE_VERSION == 25 ? w->wnd : w->sqrt) + w->gap;
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
CORE_ONCE uint32_t setup(const struct lyra2_job *job)
{
	const struct lyra2_params *p = &job->params;
	struct lane *lane = job->lanes;
	const uint32_t lanes = p->lanes, height = p->rows / lanes;
	const size_t len = row_len(job);
	const struct modulus cols = { .n = p->cols };
	struct window w = {
		.row1 = 1, .prev1 = 0, .wnd = 2, .stp = 1, .sqrt = 2, .gap = 1
	};
	uint32_t off = 0, sync = 4, row0, i;

	for (row0 = 3; row0 < height; row0++) {
		setup_sweeps(lane, lanes, off, row0, &w, len);
		sweep_lanes(SETUP, lane, lanes, cols);
		window_next(&w);
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

CORE void wander_alone(const struct lyra2_job *job, struct lane *l,
		       struct modulus cols)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = row_len(job);
	uint64_t n = (uint64_t)p->t_cost * p->rows;
	struct sweep *r = &l->sweep;

	while (n-- > 0) {
		r->row0 = l->slice + chosen(&l->s, 0) % p->rows * len;
		r->row1 = l->slice + chosen(&l->s, 1) % p->rows * len;
		wander_row_alone(l, cols);
		r->prev0 = r->row0;
		r->prev1 = r->row1;
	}
}

/*
 * The lanes advance row by row, in any order: each writes to one half of its
 * own slice, and reads the other half of any.  In the paper they are threads,
 * which wait for each other when the halves change places.
 */
CORE void wander_together(const struct lyra2_job *job, struct lane *lane,
			  uint32_t sqrt, struct modulus cols)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = row_len(job);
	const uint32_t height = p->rows / p->lanes, half = height / 2;
	const uint64_t visits = (uint64_t)p->t_cost * height;
	uint64_t visit, sync = sqrt, own = 0, others = half;
	uint32_t i;

	for (visit = 0; visit < visits; visit++) {
		for (i = 0; i < p->lanes; i++) {
			struct lane *l = &lane[i];
			uint64_t row0 = own + chosen(&l->s, 0) % half;
			uint64_t row1 = others + chosen(&l->s, 1) % half;
			uint64_t j = chosen(&l->s, 2) % p->lanes;

			l->sweep.row0 = l->slice + row0 * len;
			l->sweep.row1 = lane[j].slice + row1 * len;
		}
		sweep_lanes(WANDERING, lane, p->lanes, cols);
		for (i = 0; i < p->lanes; i++)
			lane[i].sweep.prev0 = lane[i].sweep.row0;
		if (visit == sync) {
			sync += sqrt;
			own = half - own;
			others = half - others;
		}
	}
}

CORE_ONCE void wander(const struct lyra2_job *job, uint32_t sqrt)
{
	const uint32_t n = job->params.cols;
	const bool power = !(n & (n - 1));
	const struct modulus cols = { n, UINT64_MAX / n, power };

	if (CORE_VERSION != 25 && job->params.lanes > 1)
		wander_together(job, job->lanes, sqrt, cols);
	else if (power)	/* A loop that need not test it takes 4 % less time. */
		wander_alone(job, job->lanes, (struct modulus){ n, 0, true });
	else
		wander_alone(job, job->lanes, cols);
}

/* ---- wrap-up ---- */

/* Clears the key only here: it may overlap with the password or the salt. */
CORE_ONCE void wrap_up(const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i;

	memset(job->key, 0, job->keylen);
	for (i = 0; i < job->params.lanes; i++)
		wrap_up_lane(job, &lane[i]);
}

CORE_ENTRY void CORE_KERNEL(const struct lyra2_job *job)
{
	begin(job);
	wander(job, setup(job));
	wrap_up(job);
}
