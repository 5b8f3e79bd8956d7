/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for parameters that take a given time under load. */
#include "calibrate.h"

#include <inttypes.h>

#include "bench-time.h"
#include "progress.h"
#include "tool.h"

enum {
	MIN_T = 2,	/* one pass is the weakest against trade-offs */
	MIN_ROWS = 16,	/* as in a string's least cost number */
	GUESSES = 16,	/* measurements at most on one axis */
	REPEATS = 3	/* of a measurement whose times differ too much */
};

/* A cost to search along.  Time grows as value + offset does. */
struct axis {
	uint32_t *value;
	uint32_t least, most;
	uint32_t step;		/* multiples of it make sense */
	uint32_t offset;
};

/* What is known so far: 0 is nothing. */
struct bracket {
	uint32_t low;		/* the largest value within the target */
	uint32_t high;		/* the smallest above it */
	double us, spread;	/* at low */
	uint32_t again;		/* what was measured again */
};

static uint64_t row_bytes(const struct lyra2_params *p)
{
	return (uint64_t)p->cols * 8 * p->block_words;
}

static uint32_t least_rows(const struct choice *c)
{
	const uint32_t lanes = 3 * c->params.lanes;

	return lanes > MIN_ROWS ? lanes : MIN_ROWS;
}

static uint32_t most_rows(const struct choice *c)
{
	const uint64_t limit = LYRA2_MAX_WORK / (c->params.cols + 8) /
			       (MIN_T + 1);
	uint64_t rows = c->max_memory / row_bytes(&c->params);

	rows = rows < limit ? rows : limit;
	return (uint32_t)(rows / c->params.lanes * c->params.lanes);
}

static int measure_once(struct choice *c, struct bench_load *load)
{
	struct bench_work work;
	int status = bench_ours(&work, "calibrate", &c->params, NULL, true);

	*load = (struct bench_load){ .work = &work, .runs = c->runs,
				     .processes = c->parallel };
	if (status == TOOL_YES)
		status = bench_load_run(load);
	progress_step();
	return status;
}

/*
 * Each login hashes in fresh memory, so this does too.  Other work on the
 * machine only adds time, so the least of several times is the best.
 */
static int measure(struct choice *c)
{
	struct bench_load load;
	int i, status = TOOL_YES;

	for (i = 0; i < REPEATS && status == TOOL_YES; i++) {
		status = measure_once(c, &load);
		if (i == 0 || load.median < c->us) {
			c->us = load.median;
			c->spread = load.spread;
		}
		if (load.spread <= CALIBRATE_NOISE)
			break;
	}
	return status;
}

/* Rounded down to about two digits, which costs almost nothing. */
static uint32_t tidy(const struct axis *a, double value)
{
	uint32_t step = a->step;

	if (value <= a->least)
		return a->least;
	if (value >= a->most)
		return a->most;
	while (step * 128.0 < value)
		step *= 2;
	return (uint32_t)value / step * step;
}

/* A value between those known, or one of them where there is none. */
static uint32_t guess(const struct choice *c, const struct axis *a,
		      const struct bracket *b, double target)
{
	const double more = 0.97 * target / c->us;
	double value = (*a->value + (double)a->offset) * more - a->offset;

	if ((b->low && value <= b->low) || (b->high && value >= b->high))
		value = b->high ? (b->low + (double)b->high) / 2 :
				  b->low * 1.05 + a->step;
	return tidy(a, value);
}

static void learn(const struct choice *c, uint32_t value, double target,
		  struct bracket *b)
{
	if (value == b->low && c->us > b->us)
		return;
	if (c->us > target) {
		b->high = value;
		return;
	}
	b->low = value;
	b->us = c->us;
	b->spread = c->spread;
	/* The measurement above the target was disturbed. */
	if (b->high && b->high <= b->low)
		b->high = 0;
}

/*
 * What to measure next, or 0 when the answer is near the target or between
 * two neighbours.  Before that, the deciding values are measured again.
 */
static uint32_t next_value(const struct choice *c, const struct axis *a,
			   struct bracket *b, double target)
{
	uint32_t value;

	if (b->low == a->most)
		return 0;
	if (b->low && b->us >= 0.95 * target)
		value = b->low;
	else
		value = guess(c, a, b, target);
	if (value != b->low && value != b->high)
		return value;
	if (b->high && value != b->low)
		value = b->high;
	if (value == b->again)
		return 0;
	b->again = value;
	return value;
}

/* Leaves the best that was found, or the least of all. */
static int search(struct choice *c, const struct axis *a, uint32_t first)
{
	const double target = c->target_ms * 1e3;
	struct bracket b = { 0 };
	uint32_t next = first;
	int i, status = TOOL_YES;

	for (i = 0; i < GUESSES && next && status == TOOL_YES; i++) {
		*a->value = next;
		status = measure(c);
		learn(c, next, target, &b);
		next = next_value(c, a, &b, target);
	}
	*a->value = b.low ? b.low : a->least;
	if (b.low) {
		c->us = b.us;
		c->spread = b.spread;
	}
	return status;
}

static int search_rows(struct choice *c, uint32_t most)
{
	const struct axis rows = {
		.value = &c->params.rows,
		.least = least_rows(c),
		.most = most,
		.step = c->params.lanes,
	};

	return search(c, &rows, tidy(&rows, 256));
}

/* Where all the memory allowed is in use, time goes into passes over it. */
static int search_passes(struct choice *c)
{
	const struct lyra2_params *p = &c->params;
	const double target = c->target_ms * 1e3;
	const struct axis passes = {
		.value = &c->params.t_cost,
		.least = MIN_T,
		.most = (uint32_t)(LYRA2_MAX_WORK / (p->cols + 8) / p->rows) -
			1,
		.step = 1,
		.offset = 1,
	};

	if (passes.most <= MIN_T ||
	    (MIN_T + 1) * target / c->us < MIN_T + 2)
		return TOOL_YES;
	return search(c, &passes, tidy(&passes, (MIN_T + 1) * 0.97 * target /
				       c->us - 1));
}

int calibrate_search(struct choice *c)
{
	const uint32_t most = most_rows(c);
	int status;

	if (most < least_rows(c))
		return tool_error(TOOL_INPUT, "--max-memory: %" PRIu64
				  " KiB are less than %u rows of %" PRIu64
				  " bytes", c->max_memory >> 10, least_rows(c),
				  row_bytes(&c->params));
	c->params.t_cost = MIN_T;
	progress_begin("calibrate", GUESSES);
	status = search_rows(c, most);
	if (status == TOOL_YES && c->params.rows == most)
		status = search_passes(c);
	progress_end();
	if (status == TOOL_YES && c->us > c->target_ms * 1e3)
		return TOOL_NO;
	return status;
}
