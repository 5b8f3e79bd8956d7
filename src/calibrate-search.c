/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for parameters that take a given time under load. */
#include "calibrate.h"

#include <inttypes.h>

enum {
	MIN_T = 2,	/* one pass is the weakest against trade-offs */
	MIN_ROWS = 16,	/* as in a string's least cost number */
	GUESSES = 12	/* measurements at most in each direction */
};

static uint64_t row_bytes(const struct lyra2_params *p)
{
	return (uint64_t)p->cols * 8 * p->block_words;
}

/* Rounded down to three digits or so: a tidy number costs next to nothing. */
static uint32_t tidy(const struct choice *c, double rows, uint32_t most)
{
	uint32_t n, step = c->params.lanes;

	if (rows >= most)
		return most;
	while (step * 128.0 < rows)
		step *= 2;
	n = (uint32_t)rows / step * step;
	return n;
}

static uint32_t least_rows(const struct choice *c)
{
	const uint32_t lanes = 3 * c->params.lanes;

	return lanes > MIN_ROWS ? lanes : MIN_ROWS;
}

static uint32_t most_rows(const struct choice *c)
{
	const uint64_t limit = LYRA2_MAX_DUPLEXINGS / c->params.cols /
			       (MIN_T + 1);
	uint64_t rows = c->max_memory / row_bytes(&c->params);

	rows = rows < limit ? rows : limit;
	return (uint32_t)(rows / c->params.lanes * c->params.lanes);
}

/* A login has no memory from the hash before: it is fresh here as well. */
static int measure(struct choice *c)
{
	struct bench_work work;
	struct bench_load load = { .work = &work, .runs = c->runs,
				   .processes = c->parallel };
	int status = bench_ours(&work, "calibrate", &c->params, NULL, true);

	if (status == TOOL_YES)
		status = bench_load_run(&load);
	c->us = load.median;
	progress_step();
	return status;
}

/* Time is almost proportional to rows, so that a few steps find the most. */
static int search_rows(struct choice *c, double target, uint32_t most)
{
	struct lyra2_params *p = &c->params;
	const uint32_t least = least_rows(c);
	uint32_t next = least > 256 ? least : most < 256 ? most : 256;
	int i, status = TOOL_YES;

	for (i = 0; i < GUESSES && status == TOOL_YES; i++) {
		p->rows = next;
		status = measure(c);
		if (c->us <= target && (c->us >= 0.95 * target ||
					p->rows == most))
			break;
		/* Aims a little below: what is over the target is no choice */
		next = tidy(c, p->rows * 0.97 * target / c->us, most);
		if (next < least)
			next = least;
		if (next == p->rows)
			break;
	}
	return status;
}

/* What to take a cost by that was too slow: enough for the next to do. */
static double lower(const struct choice *c, double target)
{
	const double factor = 0.97 * target / c->us;

	return factor < 0.94 ? factor : 0.94;
}

/* Noise may have left the last guess too slow. */
static int lower_rows(struct choice *c, double target)
{
	struct lyra2_params *p = &c->params;
	const uint32_t least = least_rows(c);
	int status = TOOL_YES;

	while (status == TOOL_YES && c->us > target && p->rows > least) {
		p->rows = tidy(c, p->rows * lower(c, target), p->rows);
		if (p->rows < least)
			p->rows = least;
		status = measure(c);
	}
	return status;
}

/* Time is proportional to the passes and the filling before them. */
static int search_t(struct choice *c, double target)
{
	struct lyra2_params *p = &c->params;
	const double most = (double)(LYRA2_MAX_DUPLEXINGS / p->cols / p->rows);
	double passes = (p->t_cost + 1) * target / c->us;
	int status;

	if (passes < MIN_T + 2)
		return TOOL_YES;
	do {
		passes = passes < most ? passes : most;
		p->t_cost = passes < MIN_T + 1 ? MIN_T : (uint32_t)passes - 1;
		status = measure(c);
		passes *= lower(c, target);
	} while (status == TOOL_YES && c->us > target && p->t_cost > MIN_T);
	return status;
}

int calibrate_search(struct choice *c)
{
	const double target = c->target_ms * 1e3;
	const uint32_t most = most_rows(c);
	int status;

	if (most < least_rows(c))
		return tool_error(TOOL_INPUT, "--max-memory: %" PRIu64
				  " KiB are less than %u rows of %" PRIu64
				  " bytes", c->max_memory >> 10, least_rows(c),
				  row_bytes(&c->params));
	c->params.t_cost = MIN_T;
	progress_begin("calibrate", GUESSES);
	status = search_rows(c, target, most);
	if (status == TOOL_YES && c->params.rows == most)
		status = search_t(c, target);
	if (status == TOOL_YES)
		status = lower_rows(c, target);
	progress_end();
	if (status == TOOL_YES && c->us > target)
		return tool_error(TOOL_NO, "--target: the least setting, %u "
				  "rows in 2 passes, takes %.1f ms here",
				  c->params.rows, c->us / 1e3);
	return status;
}
