/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench: kernels, and sizes of memory. */
#include "bench-time.h"
#include "bench.h"
#include "tool.h"

static double duplexings(const struct lyra2_params *p)
{
	return (p->t_cost + 1.0) * p->rows * p->cols;
}

/* ---- kernels ---- */

static const struct column kernel_columns[] = {
	{ "kernel", "kernel", 0 }, { "function", "function", 0 },
	{ "mib", "MiB", 1 },
	{ "median_us", "median us", 1 }, { "stddev_us", "stddev", 1 },
	{ "ns_per_duplexing", "ns/duplexing", 2 },
	{ "mib_per_s", "MiB/s", 0 }, { "moved_gb_per_s", "GB/s moved", 2 },
	{ 0 },
};

static void add_kernel(struct table *t, const struct bench_work *w)
{
	char function[FUNCTION_NAME];

	function_name(&w->params, function);
	table_add(t, (struct cell[]){
		cell_text(w->name), cell_text(function),
		cell_number((double)w->memory / BENCH_MIB),
		cell_number(w->median), cell_number(w->stddev),
		cell_number(w->median * 1e3 / duplexings(&w->params)),
		cell_number((double)w->memory / BENCH_MIB / w->median * 1e6),
		cell_number(bench_traffic(&w->params) / w->median / 1e3) });
}

/* One function on every kernel that runs here. */
static int add_works(const struct bench_options *o,
		     const struct lyra2_params *function,
		     struct bench_work works[TABLE_ROWS], size_t *n)
{
	int status = TOOL_YES, usable;
	const char *kernel;
	size_t i;

	for (i = 0; (kernel = lyra2_kernel_at(i, &usable)) &&
		    *n < TABLE_ROWS && status == TOOL_YES; i++)
		if (usable)
			status = bench_ours(&works[(*n)++], kernel, function,
					    kernel, o->fresh);
	return status;
}

/* What logins compute, unless the options say what to measure. */
static bool default_too(const struct bench_options *o)
{
	const struct lyra2_params *p = &o->params;

	return !p->version && p->sponge == FUNCTION_ANY_SPONGE && !p->t_cost &&
	       !p->rows && p->lanes == 1;
}

int bench_suite_kernels(const struct bench_options *o, struct table *t)
{
	struct lyra2_params functions[BENCH_FUNCTIONS + 1];
	struct bench_work works[TABLE_ROWS];
	size_t f = bench_functions(o, 64, 64, functions), i, n = 0;
	int status = f ? TOOL_YES : TOOL_INPUT;

	*t = (struct table){ .key = "kernels", .columns = kernel_columns,
			     .title = "Kernels, in order of preference" };
	if (f && default_too(o))
		lyra2_params_init(&functions[f++]);
	for (i = 0; i < f && status == TOOL_YES; i++)
		status = add_works(o, &functions[i], works, &n);
	if (status == TOOL_YES)
		status = bench_race(works, n, bench_runs(o, 21), "kernels");
	for (i = 0; i < n && status == TOOL_YES; i++)
		add_kernel(t, &works[i]);
	bench_free(works, n);
	return status;
}

/* ---- memory ---- */

static const struct column memory_columns[] = {
	{ "mib", "MiB", 0 }, { "rows", "rows", 0 },
	{ "median_ms", "median ms", 2 }, { "stddev_ms", "stddev", 2 },
	{ "ms_per_mib", "ms/MiB", 3 }, { "scaling", "scaling", 3 },
	{ "mib_per_s", "MiB/s", 0 }, { "moved_gb_per_s", "GB/s moved", 2 },
	{ 0 },
};

/* Scaling is against 4 MiB, the smallest that no cache near a core holds. */
static void add_memory(struct table *t, const struct bench_work *w,
		       const struct bench_work *base)
{
	const double mib = (double)w->memory / BENCH_MIB;
	const double per_mib = w->median / mib;
	const double scaling = !base ? 0 : per_mib / base->median *
			       ((double)base->memory / BENCH_MIB);

	table_add(t, (struct cell[]){
		cell_number(mib), cell_count(w->params.rows),
		cell_number(w->median / 1e3), cell_number(w->stddev / 1e3),
		cell_number(per_mib / 1e3),
		base ? cell_number(scaling) :
		       (struct cell){ .type = CELL_NONE },
		cell_number(1e6 / per_mib),
		cell_number(bench_traffic(&w->params) / w->median / 1e3) });
}

int bench_suite_memory(const struct bench_options *o, struct table *t)
{
	enum { SIZES = 24 };
	struct bench_work works[SIZES];
	uint64_t size;
	const struct bench_work *base = NULL;
	size_t i, n = 0;
	int status = TOOL_YES;

	*t = (struct table){ .key = "memory", .columns = memory_columns,
			     .title = "Memory" };
	for (size = BENCH_MIB; size <= bench_largest(o) && n < SIZES &&
			 status == TOOL_YES; size *= 2) {
		if (size == 4 * BENCH_MIB)
			base = &works[n];
		status = bench_one(o, &works[n++], "memory", size, o->fresh);
	}
	if (status == TOOL_YES)
		status = bench_race(works, n, bench_runs(o, 11), "memory");
	for (i = 0; i < n && status == TOOL_YES; i++)
		add_memory(t, &works[i], base);
	bench_free(works, n);
	return status;
}

