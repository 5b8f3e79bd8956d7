/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench: several processes at once, and pages of both sizes. */
#include "bench-time.h"
#include "bench.h"
#include "progress.h"
#include "tool.h"

/* 64 MiB in one pass, unless --rows says otherwise. */
static uint64_t load_memory(const struct bench_options *o)
{
	return o->params.rows ? 0 : 64 * BENCH_MIB;
}

/* ---- processes ---- */

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
	struct bench_load load = { .work = &work, .runs = bench_runs(o, 11) };
	double alone = 0;
	int status = bench_one(o, &work, "processes", load_memory(o),
			       o->fresh);

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

/* ---- huge pages ---- */

static const struct column page_columns[] = {
	{ "memory", "memory", 0 }, { "huge_pages", "huge pages", 0 },
	{ "median_ms", "median ms", 2 }, { "stddev_ms", "stddev", 2 },
	{ "ms_per_mib", "ms/MiB", 3 },
	{ 0 },
};

int bench_suite_pages(const struct bench_options *o, struct table *t)
{
	struct bench_work work;
	struct bench_load load = { .work = &work, .processes = 1,
				   .runs = bench_runs(o, 11) };
	int i, status = TOOL_YES;

	*t = (struct table){ .key = "huge_pages", .columns = page_columns,
			     .title = "Huge pages" };
	progress_begin("huge pages", 4);
	for (i = 0; i < 4 && status == TOOL_YES; i++) {
		load.small_pages = i % 2 == 0;
		status = bench_one(o, &work, i < 2 ? "fresh" : "kept",
				   load_memory(o), i < 2);
		if (status == TOOL_YES)
			status = bench_load_run(&load);
		if (status == TOOL_YES)
			table_add(t, (struct cell[]){
				cell_text(work.name),
				cell_bool(!load.small_pages),
				cell_number(load.median / 1e3),
				cell_number(load.stddev / 1e3),
				cell_number(load.median / 1e3 * BENCH_MIB /
					    (double)work.memory) });
		bench_free(&work, 1);
		progress_step();
	}
	progress_end();
	return status;
}
