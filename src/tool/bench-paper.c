/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of "Lyra2: Efficient Password Hashing..." and of the papers that
 * timed it since: R=T=16, 32 and 64, C=256 and a key of 64 bytes.
 */
#include <stdio.h>
#include <string.h>

#include "bench-time.h"
#include "bench.h"
#include "tool.h"

enum { MAX_WORKS = 1 + BENCH_PHS_MAX, DEFAULT_RUNS = 200 };

static const struct column alone_columns[] = {
	{ "rows", "R", 0 }, { "t_cost", "T", 0 }, { "ours_us", "ours us", 1 },
	{ 0 },
};

/* The column "peer" is last, and only printed for several libraries. */
static const struct column peer_columns[] = {
	{ "rows", "R", 0 }, { "t_cost", "T", 0 }, { "ours_us", "ours us", 1 },
	{ "peer_us", "peer us", 1 }, { "ratio", "peer/ours", 3 },
	{ "same_output", "same output", 0 }, { "peer", "peer", 0 },
	{ 0 },
};
static const struct column one_peer_columns[] = {
	{ "rows", "R", 0 }, { "t_cost", "T", 0 }, { "ours_us", "ours us", 1 },
	{ "peer_us", "peer us", 1 }, { "ratio", "peer/ours", 3 },
	{ "same_output", "same output", 0 },
	{ 0 },
};

static const struct column spread_columns[] = {
	{ "rows", "R", 0 }, { "t_cost", "T", 0 }, { "build", "build", 0 },
	{ "median_us", "median us", 1 }, { "stddev_us", "stddev", 1 },
	{ "min_us", "least", 1 }, { "normalised", "normalised", 3 },
	{ 0 },
};

struct race {
	const struct bench_options *o;
	struct lyra2_params params;
	bench_phs *phs[BENCH_PHS_MAX];
	struct bench_work works[MAX_WORKS];	/* ours, then the others */
	size_t n;
	char title[64];
};

/* Whether the first library computes the function; true on an error too. */
static bool is_function(struct race *r, const struct lyra2_params *params)
{
	struct bench_work ours, peer;
	bool same;

	bench_foreign(&peer, "PHS", r->phs[0], params->t_cost, params->rows);
	if (bench_ours(&ours, "ours", params, NULL, true) != TOOL_YES)
		return true;
	same = ours.run(&ours) < 0 || peer.run(&peer) < 0 ||
	       bench_same_key(&ours, &peer);
	bench_free(&ours, 1);
	return same;
}

/* The versions' windows differ from R=18 on. */
static int choose_function(struct race *r)
{
	struct lyra2_params f[BENCH_FUNCTIONS];
	const size_t n = bench_functions(r->o, 1, 18, f);
	size_t i = 0;

	if (n == 0)
		return TOOL_INPUT;
	while (r->o->n_phs && n > 1 && i < n && !is_function(r, &f[i]))
		i++;
	r->params = f[i < n ? i : 0];
	if (i == n)
		tool_error(TOOL_NO, "--phs: %s computes none of our "
			   "functions", r->o->phs[0].path);
	return TOOL_YES;
}

static int add_ours(struct race *r, const char *kernel)
{
	char name[BENCH_NAME], function[FUNCTION_NAME];

	function_name(&r->params, function);
	snprintf(name, sizeof(name), "%s %s", kernel ? kernel : "ours",
		 function);
	return bench_ours(&r->works[r->n++], name, &r->params, kernel,
			  r->o->fresh);
}

/* Without other libraries, the kernels are compared; the plain one is 1. */
static int add_kernels(struct race *r)
{
	int usable, status = TOOL_YES;
	const char *kernel;
	size_t i;

	for (i = 0; (kernel = lyra2_kernel_at(i, &usable)) &&
		    r->n < MAX_WORKS && status == TOOL_YES; i++)
		if (usable)
			status = add_ours(r, kernel);
	return status;
}

static int make_works(struct race *r)
{
	size_t i;
	int status;

	r->n = 0;
	status = add_ours(r, NULL);
	if (status == TOOL_YES && r->o->n_phs == 0)
		status = add_kernels(r);
	for (i = 0; i < r->o->n_phs; i++)
		bench_foreign(&r->works[r->n++], r->o->phs[i].name,
			      r->phs[i], r->params.t_cost, r->params.rows);
	return status;
}

static const struct bench_work *standard(const struct race *r)
{
	size_t i;

	for (i = 1; i < r->n && r->o->n_phs == 0; i++)
		if (strncmp(r->works[i].name, "plain ", 6) == 0)
			return &r->works[i];
	return &r->works[1];
}

static void add_rows(const struct race *r, struct table *paper,
		     struct table *spread)
{
	const struct bench_work *ours = r->works;
	const struct cell rows = cell_count(r->params.rows);
	const struct cell t_cost = cell_count(r->params.t_cost);
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct bench_work *w = &r->works[i];

		table_add(spread, (struct cell[]){
			rows, t_cost, cell_text(w->name),
			cell_number(w->median), cell_number(w->stddev),
			cell_number(w->us[0]),
			cell_number(w->median / standard(r)->median) });
		if (i == 0 && r->o->n_phs == 0)
			table_add(paper, (struct cell[]){
				rows, t_cost, cell_number(w->median) });
		if (w->phs)
			table_add(paper, (struct cell[]){
				rows, t_cost, cell_number(ours->median),
				cell_number(w->median),
				cell_number(w->median / ours->median),
				cell_bool(bench_same_key(w, ours)),
				cell_text(w->name) });
	}
}

/* Measures one cost: all builds in turn. */
static int one_cost(struct race *r, uint32_t cost, struct table *paper,
		    struct table *spread)
{
	const struct lyra2_params *given = &r->o->params;
	char label[32];
	int status;

	r->params.rows = given->rows ? given->rows : cost;
	r->params.t_cost = given->t_cost ? given->t_cost : cost;
	snprintf(label, sizeof(label), "R=%u T=%u", r->params.rows,
		 r->params.t_cost);
	status = make_works(r);
	if (status == TOOL_YES)
		status = bench_race(r->works, r->n,
				    bench_runs(r->o, DEFAULT_RUNS), label);
	if (status == TOOL_YES)
		add_rows(r, paper, spread);
	bench_free(r->works, r->n);
	return status;
}

int bench_suite_paper(const struct bench_options *o, struct table *paper,
		      struct table *spread)
{
	static struct race r;
	const bool once = o->params.rows && o->params.t_cost;
	uint32_t cost;
	size_t i;
	int status;

	*paper = (struct table){
		.key = "paper", .columns = o->n_phs > 1 ? peer_columns :
		o->n_phs ? one_peer_columns : alone_columns,
		.title = r.title };
	*spread = (struct table){
		.key = "paper_spread", .columns = spread_columns,
		.title = "The same runs, build by build" };
	snprintf(r.title, sizeof(r.title), "The paper's table: C=%u, %d-byte "
		 "key", o->params.cols, BENCH_KEY);
	r.o = o;
	bench_malloc(o->fresh);
	for (i = 0; i < o->n_phs; i++) {
		status = bench_load_phs(o->phs[i].path, &r.phs[i]);
		if (status != TOOL_YES)
			return status;
	}
	status = choose_function(&r);
	for (cost = 16; cost <= 64 && status == TOOL_YES; cost *= 2) {
		status = one_cost(&r, cost, paper, spread);
		if (once)
			break;
	}
	return status;
}
