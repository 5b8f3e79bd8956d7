/* SPDX-License-Identifier: BSD-2-Clause */
/* How it is timed: in turn with others, or in several processes at once. */
#ifndef LYRA2_TOOL_BENCH_TIME_H
#define LYRA2_TOOL_BENCH_TIME_H

#include "bench-work.h"

/* CPU time instead of elapsed time. */
extern bool bench_cpu_time;

/* Microseconds since some moment. */
double bench_now(void);

/* Median of n times, which it sorts, and their standard deviation. */
double bench_median(double *us, size_t n);
double bench_stddev(const double *us, size_t n);

/* How far the quartiles of n sorted times are apart: a part of the median. */
double bench_spread(const double *us, size_t n);

/*
 * Runs the works in turn, runs times each, after one run that is not counted,
 * so a disturbance affects all.  Each turn has a random order.  Returns 0 or
 * an exit status after a message.
 */
int bench_race(struct bench_work *works, size_t n, uint32_t runs,
	       const char *label);

/* ---- bench-load.c: several processes at once ---- */

struct bench_load {
	struct bench_work *work;
	uint32_t processes, runs;
	double median, stddev;		/* microseconds for one hash */
	double spread;			/* bench_spread() */
	double per_second;		/* hashes of all the processes */
};

/*
 * Every process does runs hashes, and more until the last one has done its
 * own, so that all are measured under full load.  Returns 0 or an exit status.
 */
int bench_load_run(struct bench_load *load);

/* Processors that this process may use. */
uint32_t bench_cpus(void);

#endif
