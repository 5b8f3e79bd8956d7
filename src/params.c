/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: ranges, defaults, sizes and the limits for strings. */
#include "params.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void lyra2_params_init(struct lyra2_params *params)
{
	*params = (struct lyra2_params){
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
	return 0;
}

int lyra2_check(const struct lyra2_params *p, char *why, size_t whysize)
{
	if (check_kind(p, why, whysize) < 0)
		return -1;
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
	/* What only this machine can't address is ENOMEM, not invalid. */
	if (params_matrix(p) > INT64_MAX)
		return refuse(EINVAL, why, whysize, "rows * cols: %" PRIu32
			      " * %" PRIu32 " blocks are more than any "
			      "machine can address", p->rows, p->cols);
	return 0;
}

/* The states of many narrow lanes take more than their matrix. */
static uint64_t memory(const struct lyra2_params *p)
{
	return params_matrix(p) + (p->lanes - UINT64_C(1)) * LYRA2_LANE_BYTES;
}

uint64_t lyra2_memory(const struct lyra2_params *params)
{
	return lyra2_check(params, NULL, 0) < 0 ? 0 : memory(params);
}

int lyra2_check_string(const struct lyra2_params *p, char *why,
		       size_t whysize)
{
	uint64_t blocks = (uint64_t)p->rows * p->cols;

	if (lyra2_check(p, why, whysize) < 0)
		return -1;
	if (p->block_words != 12)
		return refuse_value(why, whysize, "block_words",
				    p->block_words, "12, as strings have it");
	if (p->rho != 1)
		return refuse_value(why, whysize, "rho", p->rho,
				    "1, as strings have it");
	if (memory(p) > LYRA2_MAX_MEMORY)
		return refuse(ERANGE, why, whysize, "rows * cols: %" PRIu32
			      " * %" PRIu32 " and lanes: %" PRIu32 " take %"
			      PRIu64 " MiB of memory, the limit is %d",
			      p->rows, p->cols, p->lanes, memory(p) >> 20,
			      (int)(LYRA2_MAX_MEMORY >> 20));
	/* blocks is small by now: the product can't overflow. */
	if ((p->t_cost + UINT64_C(1)) * blocks > LYRA2_MAX_DUPLEXINGS)
		return refuse(ERANGE, why, whysize, "t_cost: (%" PRIu32 " + 1)"
			      " * %" PRIu32 " * %" PRIu32 " are more duplexings"
			      " than the limit, 2^30", p->t_cost, p->rows,
			      p->cols);
	return 0;
}
