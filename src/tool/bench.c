/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench: how fast hashing is on this machine. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench-time.h"
#include "options.h"
#include "tool.h"

enum { KERNELS, MEMORY, PROCESSES, TABLES };

static struct {
	bool tables[TABLES], all, json;
} wants;
static struct bench_options asked = {
	.params = { .cols = 256, .lanes = 1 },
};

static int measure(struct table *t)
{
	static bench_suite *const suites[TABLES] = {
		bench_suite_kernels, bench_suite_memory, bench_suite_processes,
	};
	int i, status = TOOL_YES;

	if (!wants.tables[MEMORY] && !wants.tables[PROCESSES])
		wants.tables[KERNELS] = true;
	for (i = 0; i < TABLES && status == TOOL_YES; i++)
		if (wants.tables[i] || wants.all)
			status = suites[i](&asked, &t[i]);
	return status;
}

/* The kernel chosen for the first of the functions, and the function's name */
static const char *chosen(char name[FUNCTION_NAME])
{
	struct lyra2_params f[BENCH_FUNCTIONS], p;

	bench_functions(&asked, 1, 3, f);
	function_name(&f[0], name);
	lyra2_params_init(&p);
	p.version = f[0].version;
	p.sponge = f[0].sponge;
	p.lanes = f[0].lanes;
	p.rows = 3 * p.lanes;
	return tool_kernel_for(&p, NULL);
}

static void print(const struct table *t)
{
	char function[FUNCTION_NAME];
	const char *used = chosen(function);
	int i;

	if (wants.json)
		printf("{\"kernel\":\"%s\",\"clock\":\"%s\"", used,
		       bench_cpu_time ? "cpu" : "wall");
	else
		printf("Kernel for %s: %s\n", function, used);
	for (i = 0; i < TABLES; i++) {
		if (!t[i].key)
			continue;
		fputs(wants.json ? ",\n" : "\n", stdout);
		if (wants.json)
			table_json(&t[i]);
		else
			table_print(&t[i], "");
	}
	if (wants.json)
		puts("}");
}

static const struct tool_option options[] = {
	{ "kernels", NULL, "every kernel on every sponge (the "
	  "default)", options_set_flag, &wants.tables[KERNELS], 0, 0 },
	{ "memory", NULL, "1 MiB to 1 GiB", options_set_flag,
	  &wants.tables[MEMORY], 0, 0 },
	{ "processes", NULL, "1 process, 2 ... at once",
	  options_set_flag, &wants.tables[PROCESSES], 0, 0 },
	{ "all", NULL, "all of these", options_set_flag, &wants.all, 0, 0 },
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
	{ "max-memory", "SIZE", "end of --memory (1G, or a quarter of "
	  "what there is)", options_set_size, &asked.max_memory,
	  1 << 20, UINT64_C(1) << 42 },
	{ "runs", "N", "how often each (--kernels 21, others 11)",
	  options_set_u32, &asked.runs, 1, 1000000 },
	{ "fresh", NULL, "new memory for each hash, not kept",
	  options_set_flag, &asked.fresh, 0, 0 },
	{ "cpu-time", NULL, "the processor's time, for a busy "
	  "machine", options_set_flag, &bench_cpu_time, 0, 0 },
	{ "json", NULL, "print an object", options_set_flag, &wants.json, 0,
	  0 },
	{ 0 },
};

/* Refuses options that the tables asked for do not look at. */
static int check_effect(void)
{
	const char *option = NULL, *with = NULL;

	if (asked.processes && !wants.tables[PROCESSES]) {
		option = "--max-processes";
		with = "--processes";
	} else if (asked.max_memory && !wants.tables[MEMORY]) {
		option = "--max-memory";
		with = "--memory";
	} else if (asked.params.rows && wants.tables[MEMORY] &&
		   !wants.tables[KERNELS] && !wants.tables[PROCESSES]) {
		option = "--rows";
		with = "--kernels or --processes";
	}
	if (!option || wants.all)
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "%s: has an effect only with %s",
			  option, with);
}

int bench_main(int argc, char **argv)
{
	struct lyra2_params functions[BENCH_FUNCTIONS];
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Times hashes in turn and prints the median of each.",
		.options = options,
	};
	struct table *t;
	int status;

	if (!tool_start(&args, argc, argv))
		return args.status;
	if (check_effect() != TOOL_YES ||
	    bench_functions(&asked, 1, 3, functions) == 0)
		return TOOL_INPUT;
	t = calloc(TABLES, sizeof(*t));
	if (!t)
		return tool_errno("bench");
	status = measure(t);
	if (status == TOOL_YES)
		print(t);
	free(t);
	return status;
}
