/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of lyra2 bench: kernels, sizes of memory, processes at once. */
#include "bench.h"

#include <unistd.h>

#include "bench-time.h"
#include "progress.h"
#include "tool.h"

size_t bench_functions(const struct bench_options *o, uint32_t t_cost,
		       uint32_t rows,
		       struct lyra2_params functions[BENCH_FUNCTIONS])
{
	static const struct {
		uint32_t version, sponge;
	} all[BENCH_FUNCTIONS] = {
		{ 30, LYRA2_BLAMKA }, { 30, LYRA2_BLAKE2B },
		{ 30, LYRA2_HALF_BLAMKA }, { 25, LYRA2_BLAKE2B },
		{ 25, LYRA2_HALF_BLAMKA },
	};
	const struct lyra2_params *p = &o->params;
	struct lyra2_params *f;
	size_t i, n = 0;

	for (i = 0; i < BENCH_FUNCTIONS; i++) {
		if ((p->version && p->version != all[i].version) ||
		    (p->sponge && p->sponge != all[i].sponge) ||
		    (p->lanes > 1 && all[i].version == 25))
			continue;
		f = &functions[n++];
		lyra2_params_init(f);
		f->version = all[i].version;
		f->sponge = all[i].sponge;
		f->t_cost = p->t_cost ? p->t_cost : t_cost;
		f->rows = p->rows ? p->rows : rows;
		f->cols = p->cols;
		f->lanes = p->lanes;
	}
	if (n == 0)
		tool_error(TOOL_INPUT, "version 2.5 has no blamka and no "
			   "lanes");
	return n;
}

/*
 * Makes a work for the first of the functions, in one pass without --t-cost,
 * with this much memory unless it is 0.
 */
static int make_work(const struct bench_options *o, struct bench_work *w,
		     const char *name, uint64_t memory)
{
	struct lyra2_params f[BENCH_FUNCTIONS];

	*w = (struct bench_work){ 0 };	/* for bench_free() */
	if (bench_functions(o, 1, 3, f) == 0)
		return TOOL_INPUT;
	if (memory)
		f[0].rows = bench_rows(&f[0], memory);
	return bench_ours(w, name, &f[0], NULL, o->fresh);
}

/* What is kept of every size needs twice the largest. */
static uint64_t largest(const struct bench_options *o)
{
	const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			     (uint64_t)sysconf(_SC_PAGESIZE);

	return o->max_memory ? o->max_memory :
	       all / 4 < LYRA2_MAX_MEMORY ? all / 4 : LYRA2_MAX_MEMORY;
}

static uint32_t runs_of(const struct bench_options *o, uint32_t usual)
{
	return o->runs ? o->runs : usual;
}

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

	return !p->version && !p->sponge && !p->t_cost &&
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
		status = bench_race(works, n, runs_of(o, 21), "kernels");
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
	for (size = BENCH_MIB; size <= largest(o) && n < SIZES &&
			 status == TOOL_YES; size *= 2) {
		if (size == 4 * BENCH_MIB)
			base = &works[n];
		status = make_work(o, &works[n++], "memory", size);
	}
	if (status == TOOL_YES)
		status = bench_race(works, n, runs_of(o, 11), "memory");
	for (i = 0; i < n && status == TOOL_YES; i++)
		add_memory(t, &works[i], base);
	bench_free(works, n);
	return status;
}

/* ---- processes ---- */

/* 64 MiB in one pass, unless --rows says otherwise. */
static uint64_t load_memory(const struct bench_options *o)
{
	return o->params.rows ? 0 : 64 * BENCH_MIB;
}

static const struct column process_columns[] = {
	{ "processes", "processes", 0 }, { "median_ms", "median ms", 2 },
	{ "stddev_ms", "stddev", 2 }, { "hashes_per_s", "hashes/s", 1 },
	{ "speedup", "speedup", 2 }, { "mib_per_s", "MiB/s", 0 },
	{ "moved_gb_per_s", "GB/s moved", 2 },
	{ 0 },
};

static void add_processes(struct table *t, const struct bench_load *load,
			  double alone)
{
	const struct bench_work *w = load->work;

	table_add(t, (struct cell[]){
		cell_count(load->processes), cell_number(load->median / 1e3),
		cell_number(load->stddev / 1e3),
		cell_number(load->per_second),
		cell_number(load->per_second / alone),
		cell_number((double)w->memory / BENCH_MIB * load->per_second),
		cell_number(bench_traffic(&w->params) * load->per_second /
			    1e9) });
}

int bench_suite_processes(const struct bench_options *o, struct table *t)
{
	const uint32_t n = o->processes ? o->processes : bench_cpus();
	struct bench_work work;
	struct bench_load load = { .work = &work, .runs = runs_of(o, 11) };
	double alone = 0;
	int status = make_work(o, &work, "processes", load_memory(o));

	*t = (struct table){ .key = "processes", .columns = process_columns,
			     .title = "Processes at once" };
	progress_begin("processes", n);
	while (status == TOOL_YES && load.processes < n &&
	       load.processes < TABLE_ROWS) {
		load.processes++;
		status = bench_load_run(&load);
		if (load.processes == 1)
			alone = load.per_second;
		if (status == TOOL_YES)
			add_processes(t, &load, alone);
		progress_step();
	}
	progress_end();
	bench_free(&work, 1);
	return status;
}
