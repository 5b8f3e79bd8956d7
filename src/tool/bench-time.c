/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs works in turn, and computes medians and deviations of their times. */
#include "bench-time.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "progress.h"
#include "tool.h"

bool bench_cpu_time;

double bench_now(void)
{
	struct timespec t;

	clock_gettime(bench_cpu_time ? CLOCK_PROCESS_CPUTIME_ID :
				       CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *us, size_t n)
{
	qsort(us, n, sizeof(*us), compare);
	return n % 2 ? us[n / 2] : (us[n / 2 - 1] + us[n / 2]) / 2;
}

double bench_stddev(const double *us, size_t n)
{
	double mean = 0, sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		mean += us[i] / (double)n;
	for (i = 0; i < n; i++)
		sum += (us[i] - mean) * (us[i] - mean);
	return n > 1 ? sqrt(sum / (double)(n - 1)) : 0;
}

double bench_spread(const double *us, size_t n)
{
	return (us[n - 1 - n / 4] - us[n / 4]) / us[n / 2];
}

/*
 * In another order each time: memory that a work gives back suits the next one
 * more or less, as its pages are huge and in the cache, or not.
 */
static void shuffle(struct bench_work **order, size_t n)
{
	while (n > 1) {
		struct bench_work **other = &order[(size_t)random() % n];
		struct bench_work *last = order[--n];

		order[n] = *other;
		*other = last;
	}
}

static int run_all(struct bench_work **order, size_t n, uint32_t run,
		   bool counted)
{
	size_t i;

	shuffle(order, n);
	for (i = 0; i < n; i++) {
		struct bench_work *w = order[i];
		const double begun = bench_now();

		if (w->run(w) < 0)
			return tool_errno(w->name);
		if (counted)
			w->us[run] = bench_now() - begun;
		progress_step();
	}
	return TOOL_YES;
}

static int run_often(struct bench_work **order, size_t n, uint32_t runs)
{
	int status = run_all(order, n, 0, false);
	uint32_t run;

	for (run = 0; run < runs && status == TOOL_YES; run++)
		status = run_all(order, n, run, true);
	return status;
}

int bench_race(struct bench_work *works, size_t n, uint32_t runs,
	       const char *label)
{
	struct bench_work **order = calloc(n + 1, sizeof(struct bench_work *));
	int status = TOOL_YES;
	size_t i;

	if (!order)
		return tool_errno(label);
	for (i = 0; i < n; i++) {
		order[i] = &works[i];
		works[i].us = calloc(runs, sizeof(double));
		if (!works[i].us) {
			free(order);
			return tool_errno(label);
		}
	}
	progress_begin(label, n * (runs + UINT64_C(1)));
	status = run_often(order, n, runs);
	progress_end();
	for (i = 0; i < n && status == TOOL_YES; i++) {
		works[i].median = bench_median(works[i].us, runs);
		works[i].stddev = bench_stddev(works[i].us, runs);
	}
	free(order);
	return status;
}
