/* SPDX-License-Identifier: BSD-2-Clause */
/* What lyra2 bench was asked for, and the tables that it fills. */
#ifndef LYRA2_TOOL_BENCH_H
#define LYRA2_TOOL_BENCH_H

#include "bench-work.h"
#include "function.h"
#include "table.h"

/* ---- bench-options.c ---- */

enum { BENCH_PHS_MAX = 12 };

/* --phs [NAME=]LIB.so */
struct bench_library {
	char name[BENCH_NAME];		/* as given, or the file's */
	const char *path;
};

struct bench_options {
	struct bench_library phs[BENCH_PHS_MAX];
	size_t n_phs;
	/* 0, or FUNCTION_ANY_SPONGE: not given */
	struct lyra2_params params;
	uint32_t runs, processes;	/* 0: not given */
	uint64_t max_memory;
	bool fresh;
	const char *bee2;		/* library, or NULL */
};

enum { BENCH_FUNCTIONS = 5 };

/*
 * Stores the functions to measure: all versions and sponges that the options
 * allow, with the given costs unless the options have their own.  Returns how
 * many, or 0 after a message.
 */
size_t bench_functions(const struct bench_options *o, uint32_t t_cost,
		       uint32_t rows,
		       struct lyra2_params functions[BENCH_FUNCTIONS]);

/* Rows that take this much memory, or the least that there can be. */
uint32_t bench_rows(const struct lyra2_params *params, uint64_t memory);

/*
 * Makes a work for the first of the functions, in one pass without --t-cost,
 * with this much memory unless it is 0.  Returns 0 or an exit status.
 */
int bench_one(const struct bench_options *o, struct bench_work *work,
	      const char *name, uint64_t memory, bool fresh);

/* --max-memory, or as much as the library takes, but a quarter of it all. */
uint64_t bench_largest(const struct bench_options *o);

/* --runs, or this many. */
uint32_t bench_runs(const struct bench_options *o, uint32_t runs);

/* ---- the measurements: each fills a table ---- */

typedef int bench_suite(const struct bench_options *o, struct table *t);
bench_suite bench_suite_kernels, bench_suite_memory, bench_suite_processes,
	    bench_suite_pages, bench_suite_peers, bench_suite_bash;

/* MiB, and then a column of milliseconds for each hash; empty cells where
 * there is no such hash. */
bench_suite bench_suite_sizes;

/* Fills two tables: the paper's, and the spread of the same runs. */
int bench_suite_paper(const struct bench_options *o, struct table *paper,
		      struct table *spread);

/* ---- bench-plot.c ---- */

/* Whether gnuplot can be run and the file written; false after a message. */
bool bench_can_plot(const char *path);

/* Draws a table of the spread (or NULL) and one of sizes (or NULL). */
int bench_plot(const char *path, const struct table *spread,
	       const struct table *sizes);

#endif
