/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench: how fast hashing is here, and beside other hashes. */
#include "bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench-time.h"
#include "options.h"
#include "tool.h"

enum {
	KERNELS, PAPER, SPREAD, MEMORY, PROCESSES, PAGES, PEERS, SIZES, BASH,
	TABLES
};

struct wants {
	bool kernels, paper, memory, processes, pages, peers, sizes, bash, all;
	bool json, csv;
	const char *plot;
};

static struct wants wants;
static struct bench_options asked = {
	.params = { .cols = 256, .lanes = 1, .sponge = FUNCTION_ANY_SPONGE },
};

/* The name ends at the first "=", unless that is in a path. */
static void name_library(struct bench_library *library, const char *arg)
{
	const size_t n = strcspn(arg, "=/");
	const char *slash = strrchr(arg, '/');

	library->path = arg[n] == '=' ? arg + n + 1 : arg;
	snprintf(library->name, sizeof(library->name), "%.*s",
		 arg[n] == '=' ? (int)n : INT_MAX,
		 arg[n] == '=' || !slash ? arg : slash + 1);
}

static int set_phs(const struct tool_option *option, const char *arg)
{
	struct bench_options *o = option->value;

	if (o->n_phs == BENCH_PHS_MAX)
		return tool_error(TOOL_INPUT, "--phs: more than %d libraries",
				  BENCH_PHS_MAX);
	name_library(&o->phs[o->n_phs++], arg);
	return TOOL_YES;
}

/* Without a table asked for: what the picture shows, or the kernels. */
static void settle(struct wants *w, const struct bench_options *o)
{
	if (o->bee2)
		w->bash = true;
	if (o->n_phs)
		w->paper = true;
	if (w->all)
		w->kernels = w->paper = w->memory = w->processes = w->pages =
			w->peers = w->sizes = w->bash = true;
	if (w->plot && !w->paper && !w->sizes)
		w->paper = w->sizes = true;
	if (!w->paper && !w->memory && !w->processes && !w->pages &&
	    !w->peers && !w->sizes && !w->bash)
		w->kernels = true;
}

static int measure(const struct wants *w, const struct bench_options *o,
		   struct table *t)
{
	const struct {
		bool wanted;
		bench_suite *suite;
		int table;
	} suites[] = {
		{ w->kernels, bench_suite_kernels, KERNELS },
		{ w->memory, bench_suite_memory, MEMORY },
		{ w->processes, bench_suite_processes, PROCESSES },
		{ w->pages, bench_suite_pages, PAGES },
		{ w->peers, bench_suite_peers, PEERS },
		{ w->sizes, bench_suite_sizes, SIZES },
		{ w->bash, bench_suite_bash, BASH },
	};
	int status = TOOL_YES;
	size_t i;

	/* First, before the other tables change the heap. */
	if (w->paper)
		status = bench_suite_paper(o, &t[PAPER], &t[SPREAD]);
	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		if (suites[i].wanted && status == TOOL_YES)
			status = suites[i].suite(o, &t[suites[i].table]);
	return status;
}

/* The kernel chosen for the first of the functions, and the function's name */
static const char *chosen(const struct bench_options *o,
			  char name[FUNCTION_NAME])
{
	struct lyra2_params f[BENCH_FUNCTIONS], p;

	bench_functions(o, 1, 3, f);
	function_name(&f[0], name);
	lyra2_params_init(&p);
	p.version = f[0].version;
	p.sponge = f[0].sponge;
	p.lanes = f[0].lanes;
	p.rows = 3 * p.lanes;
	return lyra2_kernel_for(&p, NULL);
}

static void print(const struct wants *w, const struct bench_options *o,
		  const struct table *t)
{
	char function[FUNCTION_NAME];
	const char *used = chosen(o, function);
	bool first = true;
	int i;

	if (w->json)
		printf("{\"kernel\":\"%s\",\"clock\":\"%s\"", used,
		       bench_cpu_time ? "cpu" : "wall");
	else if (!w->csv)
		printf("Kernel for %s: %s\n", function, used);
	for (i = 0; i < TABLES; i++) {
		if (!t[i].key)
			continue;
		fputs(w->json ? ",\n" : w->csv && first ? "" : "\n", stdout);
		(w->json ? table_json : w->csv ? table_csv : table_print)
			(&t[i]);
		first = false;
	}
	if (w->json)
		puts("}");
}

static int run(const struct wants *w, const struct bench_options *o)
{
	struct table *t = calloc(TABLES, sizeof(*t));
	int status;

	if (!t)
		return tool_errno("bench");
	status = measure(w, o, t);
	if (status == TOOL_YES)
		print(w, o, t);
	if (status == TOOL_YES && w->plot)
		status = bench_plot(w->plot, t[SPREAD].n ? &t[SPREAD] : NULL,
				    t[SIZES].n ? &t[SIZES] : NULL);
	free(t);
	return status;
}

static const struct tool_option options[] = {
	{ "kernels", NULL, "every kernel on every sponge (the "
	  "default)", options_set_flag, &wants.kernels, 0, 0 },
	{ "paper", NULL, "R=T=16, 32, 64, C=256, 64-byte key",
	  options_set_flag, &wants.paper, 0, 0 },
	{ "memory", NULL, "1 MiB to 1 GiB", options_set_flag, &wants.memory,
	  0, 0 },
	{ "processes", NULL, "1 process, 2 ... at once",
	  options_set_flag, &wants.processes, 0, 0 },
	{ "huge-pages", NULL, "with and without, fresh and kept",
	  options_set_flag, &wants.pages, 0, 0 },
	{ "peers", NULL, "crypt(3) and Argon2id, where installed",
	  options_set_flag, &wants.peers, 0, 0 },
	{ "sizes", NULL, "1 MiB to 1 GiB, beside $y$ and Argon2id",
	  options_set_flag, &wants.sizes, 0, 0 },
	{ "bash", NULL, "the outer hash, long messages",
	  options_set_flag, &wants.bash, 0, 0 },
	{ "all", NULL, "all of these", options_set_flag, &wants.all, 0, 0 },
	{ "phs", "[NAME=]LIB.so", "--paper in turn with its PHS(); "
	  "again for more", set_phs, &asked, 0, 0 },
	{ "bee2", "LIB.so", "--bash in turn with that of bee2",
	  options_set_string, &asked.bee2, 0, 0 },
	{ "version", "2.5|3", "only this version (both)",
	  function_set_version, &asked.params.version, 0, 0 },
	{ "sponge", "NAME", "only blake2b, blamka or half-blamka",
	  function_set_sponge, &asked.params.sponge, 0, 0 },
	{ "t-cost", "N", "passes, in place of a table's own",
	  options_set_u32, &asked.params.t_cost, 1, UINT32_MAX },
	{ "rows", "N", "rows, but --memory has its own", options_set_u32,
	  &asked.params.rows, 3, UINT32_MAX },
	{ "cols", "N", "columns (256)", options_set_u32, &asked.params.cols,
	  1, UINT32_MAX },
	{ "lanes", "N", "lanes (1)", options_set_u32, &asked.params.lanes, 1,
	  UINT32_MAX / 3 },
	{ "max-processes", "N", "at once at most (as many as there "
	  "are CPUs)", options_set_u32, &asked.processes, 1, TABLE_ROWS },
	{ "max-memory", "SIZE", "end of --memory and --sizes (1G, or "
	  "a quarter of what there is)", options_set_size, &asked.max_memory,
	  1 << 20, UINT64_C(1) << 42 },
	{ "runs", "N", "how often each (--paper 200, others 11 or "
	  "21)", options_set_u32, &asked.runs, 1, 1000000 },
	{ "fresh", NULL, "new memory for each hash, not kept",
	  options_set_flag, &asked.fresh, 0, 0 },
	{ "cpu-time", NULL, "the processor's time, for a busy "
	  "machine", options_set_flag, &bench_cpu_time, 0, 0 },
	{ "json", NULL, "print an object", options_set_flag, &wants.json, 0,
	  0 },
	{ "csv", NULL, "print comma-separated values", options_set_flag,
	  &wants.csv, 0, 0 },
	{ "plot", "FILE.svg", "draw --paper and --sizes, with "
	  "gnuplot", options_set_string, &wants.plot, 0, 0 },
	{ 0 },
};

int bench_main(int argc, char **argv)
{
	struct lyra2_params functions[BENCH_FUNCTIONS];
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Times Lyra2 and others in turn and prints the "
			"median of each.",
		.options = options,
	};

	if (!tool_start(&args, argc, argv))
		return args.status;
	if (wants.json && wants.csv)
		return tool_error(TOOL_INPUT, "--json and --csv: only one");
	if (bench_functions(&asked, 1, 3, functions) == 0)
		return TOOL_INPUT;
	if (wants.plot && !bench_can_plot(wants.plot))
		return TOOL_SYSTEM;
	settle(&wants, &asked);
	return run(&wants, &asked);
}
