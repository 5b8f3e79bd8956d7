/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ghosts: what remains of a hash without its sponge.  The same memory is
 * mapped, faulted in, read, written and wiped in the same order, but nothing
 * is computed, and rows and columns are drawn so that no read waits for
 * another.  A hash cannot be faster; the table says how near each kernel is.
 */
#include <stdio.h>
#include <string.h>

#include "matrix.h"
#include "params.h"
#include "tests/bench/bench.h"
#include "tool/tool.h"

enum { MAX_LANES = 8, COLS = 256, AHEAD = 8 };

/* A block, as a kernel with 256-bit registers moves it. */
typedef uint64_t quarter __attribute__((vector_size(32), aligned(32)));
struct block {
	quarter a, b, c;
};

/* Inlined where the number of lanes is a constant */
#ifdef __x86_64__
#define WIDE inline __attribute__((always_inline, target("avx2")))
#define LANES(n) __attribute__((target("avx2"))) static void lanes_##n( \
	struct bench_work *w, void *m) { move(w, m, n); }
#else
#define WIDE inline
#define LANES(n) static void lanes_##n(struct bench_work *w, void *m) \
	{ move(w, m, n); }
#endif

/* What a lane visits; NULL is not visited. */
struct visit {
	struct block *row0, *row1, *prev0, *prev1;
};

static WIDE uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1;
	return (*seed >> 33) % n;
}

static WIDE void read_block(struct block *x, const struct block *row,
				   size_t at)
{
	if (!row)
		return;
	x->a += row[at].a;
	x->b += row[at].b;
	x->c += row[at].c;
}

static WIDE void fetch(const struct block *row, size_t at)
{
	__builtin_prefetch(&row[at]);
	__builtin_prefetch(&row[at].c);
}

/* A new row, which grows right to left; row1 is read and written, too. */
static WIDE void fill_rows(const struct visit *v, uint32_t lanes)
{
	size_t at;
	uint32_t i;

	for (at = 0; at < COLS; at++)
		for (i = 0; i < lanes; i++) {
			struct block x = { { 0 }, { 0 }, { 0 } };

			fetch(v[i].row0, COLS - 1 - at - AHEAD);
			if (v[i].row1)
				fetch(v[i].row1, at + AHEAD);
			read_block(&x, v[i].prev0, at);
			read_block(&x, v[i].prev1, at);
			read_block(&x, v[i].row1, at);
			v[i].row0[COLS - 1 - at] = x;
			if (v[i].row1)
				v[i].row1[at] = x;
		}
}

/* One lane, which has a prev1, writes both rows; several write row0. */
static WIDE void wander_rows(const struct visit *v, uint32_t lanes,
			     uint64_t *seed)
{
	size_t at;
	uint32_t i;

	for (at = 0; at < AHEAD; at++)
		for (i = 0; i < lanes; i++) {
			fetch(v[i].row0, at);
			fetch(v[i].row1, at);
		}
	for (at = 0; at < COLS; at++)
		for (i = 0; i < lanes; i++) {
			struct block x = v[i].row0[at];

			fetch(v[i].row0, at + AHEAD);
			fetch(v[i].row1, at + AHEAD);
			read_block(&x, v[i].row1, at);
			read_block(&x, v[i].prev0, draw(seed, COLS));
			read_block(&x, v[i].prev1, draw(seed, COLS));
			v[i].row0[at] = x;
			if (v[i].prev1)
				v[i].row1[at] = x;
		}
}

/* The paper's window of rows to visit again, without its lanes' offsets. */
static WIDE void fill(struct block *m, uint32_t rows, uint32_t lanes)
{
	uint32_t row1 = 1, prev1 = 0, wnd = 2, stp = 1, sqrt = 2, gap = 1, r, i;
	struct visit v[MAX_LANES];

	for (r = 0; r < rows; r++) {
		for (i = 0; i < lanes; i++) {
			struct block *own = m + (size_t)i * rows * COLS;

			v[i].row0 = own + (size_t)r * COLS;
			v[i].prev0 = r > 0 ? v[i].row0 - COLS : NULL;
			v[i].row1 = r > 2 ? own + row1 * COLS : NULL;
			v[i].prev1 = r > 2 ? own + prev1 * COLS : NULL;
		}
		fill_rows(v, lanes);
		if (r < 3)
			continue;
		prev1 = row1;
		row1 = (row1 + stp) % wnd;
		if (row1 != 0)
			continue;
		stp = sqrt + gap;
		gap = -gap;
		wnd *= 2;
		if (gap != 1)
			sqrt *= 2;
	}
}

static WIDE void wander(struct block *m, uint64_t rows, uint32_t lanes,
		   uint64_t visits)
{
	const uint64_t half = lanes > 1 ? rows / 2 : rows;
	struct visit v[MAX_LANES];
	uint64_t seed = 1;
	uint32_t i;

	for (i = 0; i < lanes; i++)
		v[i].row0 = v[i].row1 = m + i * rows * COLS;
	while (visits-- > 0) {
		for (i = 0; i < lanes; i++) {
			v[i].prev0 = v[i].row0;
			v[i].prev1 = lanes > 1 ? NULL : v[i].row1;
			v[i].row0 = m + (i * rows + draw(&seed, half)) * COLS;
			v[i].row1 = m + (draw(&seed, lanes) * rows + rows -
					 half + draw(&seed, half)) * COLS;
		}
		wander_rows(v, lanes, &seed);
	}
}

static WIDE void move(struct bench_work *w, void *m, uint32_t lanes)
{
	const uint32_t rows = w->params.rows / lanes;

	fill(m, rows, lanes);
	wander(m, rows, lanes, (uint64_t)w->params.t_cost * rows);
}

LANES(1)
LANES(2)
LANES(4)
LANES(8)

static int run_ghost(struct bench_work *w)
{
	struct matrix m = { NULL, 0 };

	if (matrix_map(&m, w->memory) < 0)
		return -1;
	switch (w->params.lanes) {
	case 1: lanes_1(w, m.base); break;
	case 2: lanes_2(w, m.base); break;
	case 4: lanes_4(w, m.base); break;
	default: lanes_8(w, m.base);
	}
	matrix_wipe(&m, w->memory);
	matrix_unmap(&m);
	return 0;
}

void bench_ghost(struct bench_work *w, const struct lyra2_params *params)
{
	*w = (struct bench_work){ .run = run_ghost, .params = *params };
	snprintf(w->name, sizeof(w->name), "ghost");
	w->memory = params_matrix(params);
	w->moved = bench_traffic(params);
}

/* ---- each kernel beside its ghost ---- */

static const struct column columns[] = {
	{ "kernel", "", 0 }, { "lanes", "", 0 }, { "median_ms", "", 2 },
	{ "ns_per_duplexing", "", 2 }, { "time_of_ghosts", "", 2 },
	{ 0 },
};

static void add(struct table *t, const struct bench_work *w,
		const struct bench_work *ghost)
{
	const struct lyra2_params *p = &w->params;

	table_add(t, (struct cell[]){
		cell_text(w->name), cell_count(p->lanes),
		cell_number(w->median / 1e3),
		cell_number(w->median * 1e3 /
			    ((p->t_cost + 1.0) * p->rows * p->cols)),
		cell_number(w->median / ghost->median) });
}

/* The default, but with this number of lanes, on every kernel */
static int race(const struct compared *with, uint32_t lanes, struct table *t)
{
	struct bench_work works[16];
	struct lyra2_params p;
	int status = TOOL_YES, usable;
	const char *kernel;
	size_t i, n = 1;

	lyra2_params_init(&p);
	p.lanes = lanes;
	bench_ghost(&works[0], &p);
	for (i = 0; (kernel = lyra2_kernel_at(i, &usable)); i++)
		if (usable && status == TOOL_YES)
			status = bench_ours(&works[n++], kernel, &p, kernel,
					    true);
	if (status == TOOL_YES)
		status = bench_race(works, n, runs_of(with, 11), "ghost");
	for (i = 0; i < n && status == TOOL_YES; i++)
		add(t, &works[i], &works[0]);
	bench_free(works, n);
	return status;
}

int compare_ghost(const struct compared *with, struct table *t)
{
	uint32_t lanes;
	int status = TOOL_YES;

	*t = (struct table){ .key = "ghost", .columns = columns };
	for (lanes = 1; lanes <= MAX_LANES && status == TOOL_YES; lanes *= 2)
		status = race(with, lanes, t);
	return status;
}
