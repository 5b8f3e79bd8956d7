/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: ranges, defaults, sizes and the limits for strings. */
#include "params.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static const struct lyra2_params defaults = {
	.version = 30,
	.sponge = LYRA2_BLAMKA,
	.rotation = 128,
	.t_cost = 2,
	.rows = UINT32_C(1) << LYRA2_COST_DEFAULT,
	.cols = 256,
	.lanes = 1,
	.block_words = 12,
	.rho = 1,
};

void lyra2_params_init(struct lyra2_params *params)
{
	*params = defaults;
}

const struct lyra2_params *params_or_defaults(const struct lyra2_params *p)
{
	return p ? p : &defaults;
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
	return refuse(EINVAL, why, whysize, "%s: %" PRIu32 " is not %s", name,
		      value, range);
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
				    "25 or 30");
	if (p->sponge > LYRA2_HALF_BLAMKA)
		return refuse_value(why, n, "sponge", p->sponge, "0...2");
	if (p->version == 25 && p->sponge == LYRA2_BLAMKA)
		return refuse(EINVAL, why, n, "sponge: blamka is not in "
			      "version 2.5, which has blake2b or half-blamka");
	if (p->rotation != 128 && p->rotation != 256)
		return refuse_value(why, n, "rotation", p->rotation,
				    "128 or 256");
	if (p->block_words != 8 && p->block_words != 10 &&
	    p->block_words != 12)
		return refuse_value(why, n, "block_words", p->block_words,
				    "8, 10 or 12");
	if (p->rho < 1 || p->rho > rho_max)
		return refuse_value(why, n, "rho", p->rho,
				    rho_max == 24 ? "1...24" : "1...12");
	if (!lyra2_outer_name(p->outer))
		return refuse_value(why, n, "outer", p->outer, "0...1");
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
	if (p->t_cost < 1)
		return refuse_value(why, whysize, "t_cost", p->t_cost,
				    "1...4294967295");
	if (p->cols < 1)
		return refuse_value(why, whysize, "cols", p->cols,
				    "1...4294967295");
	if (p->lanes < 1 || (p->version == 25 && p->lanes > 1))
		return refuse_value(why, whysize, "lanes", p->lanes,
				    p->version == 25 ? "1 in version 2.5" :
				    "1...1431655765");
	if (p->rows / 3 < p->lanes)
		return refuse(EINVAL, why, whysize, "rows: %" PRIu32
			      " is not 3 * lanes (%" PRIu64 ")...4294967295",
			      p->rows, UINT64_C(3) * p->lanes);
	/* If only this machine cannot address it, the error is ENOMEM. */
	if (params_matrix(p) > INT64_MAX)
		return refuse(EINVAL, why, whysize, "rows * cols: %" PRIu32
			      " * %" PRIu32 " blocks are more than any "
			      "machine can address", p->rows, p->cols);
	return 0;
}

/* Parameters that lyra2_kdf() accepts but a string cannot express. */
static int check_sayable(const struct lyra2_params *p, char *why, size_t n)
{
	if (p->sponge == LYRA2_HALF_BLAMKA)
		return refuse(EINVAL, why, n, "sponge: half-blamka is not in "
			      "strings, which have blake2b or blamka");
	if (p->rotation != 128)
		return refuse_value(why, n, "rotation", p->rotation,
				    "128, as in every string");
	if (p->block_words != 12)
		return refuse_value(why, n, "block_words", p->block_words,
				    "12, as in every string");
	if (p->rho != 1)
		return refuse_value(why, n, "rho", p->rho,
				    "1, as in every string");
	return 0;
}

int lyra2_check(const struct lyra2_params *p, char *why, size_t whysize)
{
	p = params_or_defaults(p);
	if (!reserved_is_zero(p))
		return refuse(EINVAL, why, whysize, "reserved: is not 0, as "
			      "lyra2_params_init() sets it");
	if (check_kind(p, why, whysize) < 0)
		return -1;
#ifdef LYRA2_SMALL	/* nothing else is compiled */
	if (check_sayable(p, why, whysize) < 0)
		return -1;
#endif
	return check_costs(p, why, whysize);
}

/* The states of many narrow lanes take more than their matrix. */
static uint64_t memory(const struct lyra2_params *p)
{
	return params_matrix(p) + (p->lanes - UINT64_C(1)) * LYRA2_LANE_BYTES;
}

uint64_t lyra2_memory(const struct lyra2_params *params)
{
	if (lyra2_check(params, NULL, 0) < 0)
		return 0;
	return memory(params_or_defaults(params));
}

uint64_t lyra2_work(const struct lyra2_params *params)
{
	const struct lyra2_params *p = params_or_defaults(params);
	uint64_t work;

	if (lyra2_check(p, NULL, 0) < 0)
		return 0;
	if (__builtin_mul_overflow(p->t_cost + UINT64_C(1), p->rows, &work) ||
	    __builtin_mul_overflow(work, p->cols + UINT64_C(8), &work))
		return UINT64_MAX;
	return work;
}

int params_check_limits(const struct lyra2_params *p, uint64_t max_memory,
			uint64_t max_work, char *why, size_t whysize)
{
	if (memory(p) > max_memory)
		return refuse(ERANGE, why, whysize, "rows * cols: %" PRIu32
			      " * %" PRIu32 " and lanes: %" PRIu32 " take %"
			      PRIu64 " KiB of memory, the limit is %" PRIu64,
			      p->rows, p->cols, p->lanes, memory(p) >> 10,
			      max_memory >> 10);
	if (lyra2_work(p) > max_work)
		return refuse(ERANGE, why, whysize, "t_cost: (%" PRIu32 " + 1)"
			      " * %" PRIu32 " * (%" PRIu32 " + 8) is more work"
			      " than the limit, %" PRIu64, p->t_cost, p->rows,
			      p->cols, max_work);
	return 0;
}

int lyra2_check_string(const struct lyra2_params *p, char *why,
		       size_t whysize)
{
	p = params_or_defaults(p);
	if (lyra2_check(p, why, whysize) < 0 ||
	    check_sayable(p, why, whysize) < 0)
		return -1;
	return params_check_limits(p, LYRA2_MAX_MEMORY, LYRA2_MAX_WORK, why,
				   whysize);
}
