/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: ranges, defaults, sizes and the limits for strings. */
#include "params.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "bounds.h"

void lyra2_params_default(struct lyra2_params *params)
{
	static const struct lyra2_params now = LYRA2_V3_BLAMKA_T2_R4096_C256_P2;

	if (params)
		*params = now;
}

int params_refuse(struct lyra2_reason *reason, int error, uint32_t field,
		  const char *format, ...)
{
	va_list ap;

	if (reason) {
		reason->field = field;
		va_start(ap, format);
		vsnprintf(reason->text, sizeof(reason->text), format, ap);
		va_end(ap);
	}
	errno = error;
	return -1;
}

/* Fails with a text such as "rows: 2 is out of range, 3 to 4294967295". */
static int check_range(struct lyra2_reason *reason, uint32_t field,
		       const char *name, uint32_t value, uint32_t min,
		       uint32_t max)
{
	if (value >= min && value <= max)
		return 0;
	return params_refuse(reason, EINVAL, field, "%s: %" PRIu32 " is out of "
			     "range, %" PRIu32 " to %" PRIu32, name, value, min,
			     max);
}

static int check_reserved(const struct lyra2_params *p,
			  struct lyra2_reason *reason)
{
	const size_t n = sizeof(p->reserved) / sizeof(p->reserved[0]);
	uint32_t any = 0;
	size_t i;

	for (i = 0; i < n; i++)
		any |= p->reserved[i];
	if (any == 0)
		return 0;
	return params_refuse(reason, EINVAL, LYRA2_FIELD_RESERVED, "reserved: "
			     "not 0; start with LYRA2_PARAMS_INIT, and use the "
			     "library of your header");
}

/*
 * The number of blocks cannot overflow: rows / lanes * lanes and cols are at
 * most 2^32 - 1.
 */
uint64_t params_matrix(const struct lyra2_params *p)
{
	uint64_t blocks = (uint64_t)(p->rows / p->lanes) * p->lanes * p->cols;

	if (blocks > UINT64_MAX / PARAMS_BLOCK)
		return UINT64_MAX;
	return blocks * PARAMS_BLOCK;
}

static int check_kind(const struct lyra2_params *p, uint32_t rotation,
		      struct lyra2_reason *reason)
{
	if (p->version != 25 && p->version != 30)
		return params_refuse(reason, EINVAL, LYRA2_FIELD_VERSION,
				     "version: %" PRIu32 " is not 25 or 30",
				     p->version);
	if (p->version == 25 && p->sponge == LYRA2_BLAMKA)
		return params_refuse(reason, EINVAL, LYRA2_FIELD_SPONGE,
				     "sponge: blamka is not in version 2.5");
	if (rotation != 128 && (rotation != 256 || p->version != 25))
		return params_refuse(reason, EINVAL, LYRA2_FIELD_NONE,
				     "rotation: %" PRIu32 " is not 128, or 256 "
				     "in version 2.5", rotation);
	return check_range(reason, LYRA2_FIELD_SPONGE, "sponge", p->sponge,
			   LYRA2_BLAKE2B, LYRA2_BLAMKA);
}

static int check_costs(const struct lyra2_params *p,
		       struct lyra2_reason *reason)
{
	const uint32_t lanes = p->version == 25 ? 1 : UINT32_MAX / 3;

	if (check_range(reason, LYRA2_FIELD_T_COST, "t_cost", p->t_cost, 1,
			UINT32_MAX) < 0 ||
	    check_range(reason, LYRA2_FIELD_LANES, "lanes", p->lanes, 1,
			lanes) < 0 ||
	    check_range(reason, LYRA2_FIELD_ROWS, "rows", p->rows,
			3 * p->lanes, UINT32_MAX) < 0 ||
	    check_range(reason, LYRA2_FIELD_COLS, "cols", p->cols, 1,
			UINT32_MAX) < 0)
		return -1;
	/* Where only this machine cannot address that, the error is ENOMEM. */
	if (params_matrix(p) > INT64_MAX)
		return params_refuse(reason, EINVAL, LYRA2_FIELD_MEMORY,
				     "rows * cols: %" PRIu32 " * %" PRIu32
				     " blocks are more than any machine can "
				     "address", p->rows, p->cols);
	return 0;
}

int params_check(const struct lyra2_params *p, uint32_t rotation,
		 struct lyra2_reason *reason)
{
	if (!p)
		return params_refuse(reason, EINVAL, LYRA2_FIELD_NONE,
				     "params: NULL");
	if (check_kind(p, rotation, reason) < 0 || check_costs(p, reason) < 0)
		return -1;
	return check_reserved(p, reason);
}

int lyra2_check(const struct lyra2_params *params, struct lyra2_reason *reason)
{
	return params_check(params, PARAMS_ROTATION, reason);
}

/*
 * The states of many lanes can take more than a narrow matrix, so they count.
 * Those of the first 16 lanes do not, so that usual sizes are round.
 */
uint64_t lyra2_memory(const struct lyra2_params *p)
{
	uint64_t many;

	if (lyra2_check(p, NULL) < 0)
		return UINT64_MAX;
	many = p->lanes > 16 ? p->lanes - 16 : 0;
	return params_matrix(p) + many * LYRA2_LANE_BYTES;
}

uint64_t lyra2_work(const struct lyra2_params *p)
{
	uint64_t work;

	if (lyra2_check(p, NULL) < 0 ||
	    __builtin_mul_overflow(p->t_cost + UINT64_C(1), p->rows, &work) ||
	    __builtin_mul_overflow(work, p->cols + UINT64_C(8), &work))
		return UINT64_MAX;
	return work;
}

static int check_string_costs(const struct lyra2_params *p,
			      struct lyra2_reason *reason)
{
	if (check_range(reason, LYRA2_FIELD_T_COST, "t_cost", p->t_cost,
			STRING_MIN_T_COST, UINT32_MAX) < 0)
		return -1;
	if ((p->rows & (p->rows - 1)) != 0 ||
	    p->rows < UINT32_C(1) << LYRA2_MIN_COST ||
	    p->rows > UINT32_C(1) << LYRA2_MAX_COST)
		return params_refuse(reason, EINVAL, LYRA2_FIELD_ROWS,
				     "rows: %" PRIu32 " is not 2^n with n from "
				     "%d to %d", p->rows, LYRA2_MIN_COST,
				     LYRA2_MAX_COST);
	if (check_range(reason, LYRA2_FIELD_COLS, "cols", p->cols,
			STRING_MIN_COLS, STRING_MAX_COLS) < 0)
		return -1;
	if (p->lanes != 1 && p->lanes != 2 && p->lanes != 4)
		return params_refuse(reason, EINVAL, LYRA2_FIELD_LANES,
				     "lanes: %" PRIu32 " is not 1, 2 or 4",
				     p->lanes);
	return 0;
}

int lyra2_check_string(const struct lyra2_params *p,
		       struct lyra2_reason *reason)
{
	if (lyra2_check(p, reason) < 0 || check_string_costs(p, reason) < 0)
		return -1;
	if (p->version != 30 || p->sponge != LYRA2_BLAMKA)
		return params_refuse(reason, EINVAL, p->version != 30 ?
				     LYRA2_FIELD_VERSION : LYRA2_FIELD_SPONGE,
				     "version, sponge: not 30 with blamka, as "
				     "in every string");
	if (lyra2_memory(p) > LYRA2_MAX_MEMORY)
		return params_refuse(reason, EDOM, LYRA2_FIELD_MEMORY,
				     "rows * cols: %" PRIu32 " * %" PRIu32
				     " take %" PRIu64 " KiB, the limit is %"
				     PRIu64, p->rows, p->cols,
				     lyra2_memory(p) >> 10,
				     LYRA2_MAX_MEMORY >> 10);
	if (lyra2_work(p) > LYRA2_MAX_WORK)
		return params_refuse(reason, EDOM, LYRA2_FIELD_WORK,
				     "t_cost: (%" PRIu32 " + 1) * %" PRIu32
				     " * (%" PRIu32 " + 8) is more work than "
				     "the limit, %" PRIu64, p->t_cost, p->rows,
				     p->cols, LYRA2_MAX_WORK);
	return 0;
}
