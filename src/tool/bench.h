/* SPDX-License-Identifier: BSD-2-Clause */
/* What lyra2 bench was asked for, and the tables that it fills. */
#ifndef LYRA2_TOOL_BENCH_H
#define LYRA2_TOOL_BENCH_H

#include "bench-work.h"
#include "function.h"
#include "table.h"

struct bench_options {
	/* 0: not given */
	struct lyra2_params params;
	uint32_t runs, processes;	/* 0: not given */
	uint64_t max_memory;
	bool fresh;
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

/* Each fills a table. */
typedef int bench_suite(const struct bench_options *o, struct table *t);
bench_suite bench_suite_kernels, bench_suite_memory, bench_suite_processes;

#endif
