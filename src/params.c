/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: ranges, defaults, sizes and the limits for strings. */
#include "params.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Of version 3, and of 2.5, which has no BlaMka and only one lane */
static const struct lyra2_params defaults[] = {
	{ 30, LYRA2_BLAMKA, 128, 2, UINT32_C(1) << LYRA2_DEFAULT_COST, 256, 4,
	  12, 1, LYRA2_NO_OUTER, { 0 } },
	{ 25, LYRA2_BLAKE2B, 128, 2, UINT32_C(1) << LYRA2_DEFAULT_COST, 256, 1,
	  12, 1, LYRA2_NO_OUTER, { 0 } },
};

void lyra2_params_init(struct lyra2_params *params)
{
	*params = defaults[0];
	params->sponge = 0;
	params->lanes = 0;
}

static void fill(uint32_t *field, uint32_t value)
{
	if (*field == 0)
		*field = value;
}

void lyra2_params_fill(struct lyra2_params *p)
{
	const struct lyra2_params *d = &defaults[p->version == 25];

	fill(&p->version, d->version);
	fill(&p->sponge, d->sponge);
	fill(&p->rotation, d->rotation);
	fill(&p->t_cost, d->t_cost);
	fill(&p->rows, d->rows);
	fill(&p->cols, d->cols);
	fill(&p->lanes, d->lanes);
	fill(&p->block_words, d->block_words);
	fill(&p->rho, d->rho);
}

struct lyra2_params params_filled(const struct lyra2_params *params)
{
	struct lyra2_params p = { 0 };

	if (params)
		p = *params;
	lyra2_params_fill(&p);
	return p;
}

uint32_t lyra2_cost_rows(unsigned long n)
{
	return n >= LYRA2_MIN_COST && n <= LYRA2_MAX_COST ? UINT32_C(1) << n :
							    0;
}

const char *lyra2_version_name(uint32_t version)
{
	return version == 25 ? "2.5" : version == 30 ? "3" : NULL;
}

const char *lyra2_sponge_name(uint32_t sponge)
{
	static const char *const names[] = {
		[LYRA2_BLAKE2B] = "blake2b",
		[LYRA2_BLAMKA] = "blamka",
		[LYRA2_HALF_BLAMKA] = "half-blamka",
	};

	return sponge < sizeof(names) / sizeof(names[0]) ? names[sponge] :
							   NULL;
}

const char *lyra2_outer_name(uint32_t outer)
{
	return outer == LYRA2_NO_OUTER ? "none" :
	       outer == LYRA2_BASH256 ? "bash256" : NULL;
}

/* Sets errno, writes the sentence and returns -1. */
__attribute__((format(printf, 4, 5)))
static int refuse(int error, char *why, size_t whysize, const char *format,
		  ...)
{
	va_list ap;

	if (why && whysize > 0) {
		va_start(ap, format);
		vsnprintf(why, whysize, format, ap);
		va_end(ap);
	}
	errno = error;
	return -1;
}

static int refuse_value(char *why, size_t whysize, const char *name,
			uint32_t value, const char *range)
{
	return refuse(EINVAL, why, whysize, "%s: %" PRIu32 " is %s", name,
		      value, range);
}

/* "rows: 2 is out of range, 3 to 4294967295 (3 per lane)" */
static int refuse_range(char *why, size_t whysize, const char *name,
			uint32_t value, uint32_t min, uint32_t max,
			const char *note)
{
	return refuse(EINVAL, why, whysize, "%s: %" PRIu32 " is out of range, "
		      "%" PRIu32 " to %" PRIu32 "%s", name, value, min, max,
		      note);
}

/*
 * Bytes of the matrix; no overflow for any value of the fields up to their
 * types' limits: rows / lanes * lanes <= 2^32 - 1, as is cols.
 */
uint64_t params_matrix(const struct lyra2_params *p)
{
	uint64_t blocks = (uint64_t)(p->rows / p->lanes) * p->lanes * p->cols;

	if (blocks > UINT64_MAX / (8 * p->block_words))
		return UINT64_MAX;
	return blocks * 8 * p->block_words;
}

static int check_kind(const struct lyra2_params *p, char *why, size_t n)
{
	const uint32_t rho_max = p->sponge == LYRA2_HALF_BLAMKA ? 24 : 12;

	if (p->version != 25 && p->version != 30)
		return refuse_value(why, n, "version", p->version,
				    "not 25 or 30");
	if (p->sponge > LYRA2_HALF_BLAMKA)
		return refuse_range(why, n, "sponge", p->sponge, LYRA2_BLAKE2B,
				    LYRA2_HALF_BLAMKA, "");
	if (p->version == 25 && p->sponge == LYRA2_BLAMKA)
		return refuse(EINVAL, why, n, "sponge: blamka is not in "
			      "version 2.5, which has blake2b or half-blamka");
	if (p->rotation != 128 && p->rotation != 256)
		return refuse_value(why, n, "rotation", p->rotation,
				    "not 128 or 256");
	if (p->block_words != 8 && p->block_words != 10 &&
	    p->block_words != 12)
		return refuse_value(why, n, "block_words", p->block_words,
				    "not 8, 10 or 12");
	if (p->rho > rho_max)
		return refuse_range(why, n, "rho", p->rho, 1, rho_max, "");
	if (p->outer > LYRA2_BASH256)
		return refuse_range(why, n, "outer", p->outer, LYRA2_NO_OUTER,
				    LYRA2_BASH256, "");
	return 0;
}

static bool reserved_is_zero(const struct lyra2_params *p)
{
	const size_t n = sizeof(p->reserved) / sizeof(p->reserved[0]);
	size_t i;

	for (i = 0; i < n; i++)
		if (p->reserved[i] != 0)
			return false;
	return true;
}

static int check_costs(const struct lyra2_params *p, char *why, size_t whysize)
{
	if (p->version == 25 && p->lanes > 1)
		return refuse_value(why, whysize, "lanes", p->lanes,
				    "not 1, as in version 2.5");
	if (p->lanes > UINT32_MAX / 3)
		return refuse_range(why, whysize, "lanes", p->lanes, 1,
				    UINT32_MAX / 3, "");
	if (p->rows / 3 < p->lanes)
		return refuse_range(why, whysize, "rows", p->rows,
				    3 * p->lanes, UINT32_MAX, " (3 per lane)");
	/* If only this machine cannot address it, the error is ENOMEM. */
	if (params_matrix(p) > INT64_MAX)
		return refuse(EINVAL, why, whysize, "rows * cols: %" PRIu32
			      " * %" PRIu32 " blocks are more than any "
			      "machine can address", p->rows, p->cols);
	return 0;
}

/* lyra2_kdf() accepts more than a string can hold. */
static int check_sayable(const struct lyra2_params *p, char *why, size_t n)
{
	if (p->sponge == LYRA2_HALF_BLAMKA)
		return refuse(EINVAL, why, n, "sponge: half-blamka is not in "
			      "strings, which have blake2b or blamka");
	if (p->rotation != 128)
		return refuse_value(why, n, "rotation", p->rotation,
				    "not 128, as in every string");
	if (p->block_words != 12)
		return refuse_value(why, n, "block_words", p->block_words,
				    "not 12, as in every string");
	if (p->rho != 1)
		return refuse_value(why, n, "rho", p->rho,
				    "not 1, as in every string");
	return 0;
}

/* What both lyra2_kdf() and strings need; p has no 0 left. */
static int check(const struct lyra2_params *p, char *why, size_t whysize)
{
	if (!reserved_is_zero(p))
		return refuse(EINVAL, why, whysize, "reserved: must be 0; use "
			      "lyra2_params_init()");
	if (check_kind(p, why, whysize) < 0)
		return -1;
#ifdef LYRA2_SMALL	/* nothing else is compiled */
	if (check_sayable(p, why, whysize) < 0)
		return -1;
#endif
	return check_costs(p, why, whysize);
}

int lyra2_check(const struct lyra2_params *params, char *why, size_t whysize)
{
	const struct lyra2_params p = params_filled(params);

	if (p.outer != LYRA2_NO_OUTER)
		return refuse(EINVAL, why, whysize, "outer: only strings have "
			      "an outer hash");
	return check(&p, why, whysize);
}

/*
 * The states of many narrow lanes take more than their matrix.  Those of a few
 * are not counted, so that sizes are round: 96 MiB by default.
 */
static uint64_t params_bytes(const struct lyra2_params *p)
{
	const uint64_t many = p->lanes > 16 ? p->lanes - 16 : 0;

	return params_matrix(p) + many * LYRA2_LANE_BYTES;
}

uint64_t lyra2_memory(const struct lyra2_params *params)
{
	const struct lyra2_params p = params_filled(params);

	return check(&p, NULL, 0) < 0 ? 0 : params_bytes(&p);
}

uint64_t lyra2_work(const struct lyra2_params *params)
{
	const struct lyra2_params p = params_filled(params);
	uint64_t work;

	if (check(&p, NULL, 0) < 0)
		return 0;
	if (__builtin_mul_overflow(p.t_cost + UINT64_C(1), p.rows, &work) ||
	    __builtin_mul_overflow(work, p.cols + UINT64_C(8), &work))
		return UINT64_MAX;
	return work;
}

int params_check_limits(const struct lyra2_params *p, uint64_t max_memory,
			uint64_t max_work, char *why, size_t whysize)
{
	if (params_bytes(p) > max_memory)
		return refuse(EDOM, why, whysize, "rows * cols: %" PRIu32
			      " * %" PRIu32 " and lanes: %" PRIu32 " take %"
			      PRIu64 " KiB of memory, the limit is %" PRIu64,
			      p->rows, p->cols, p->lanes, params_bytes(p) >> 10,
			      max_memory >> 10);
	if (lyra2_work(p) > max_work)
		return refuse(EDOM, why, whysize, "t_cost: (%" PRIu32 " + 1)"
			      " * %" PRIu32 " * (%" PRIu32 " + 8) is more work"
			      " than the limit, %" PRIu64, p->t_cost, p->rows,
			      p->cols, max_work);
	if (p->cols > LYRA2_MAX_COLS)
		return refuse(EDOM, why, whysize, "cols: %" PRIu32 " is more "
			      "than the limit, %d", p->cols, LYRA2_MAX_COLS);
	return 0;
}

int lyra2_check_string(const struct lyra2_params *params, char *why,
		       size_t whysize)
{
	const struct lyra2_params p = params_filled(params);

	if (check(&p, why, whysize) < 0 || check_sayable(&p, why, whysize) < 0)
		return -1;
	return params_check_limits(&p, LYRA2_MAX_MEMORY, LYRA2_MAX_WORK, why,
				   whysize);
}
