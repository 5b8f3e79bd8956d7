/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits on strings, in addition to those in lyra2.h, and what a string costs
 * an attacker.  The library, the tool and the service use them.
 */
#ifndef LYRA2_BOUNDS_H
#define LYRA2_BOUNDS_H

#include "lyra2.h"

#define STRING_MIN_T_COST 2
#define STRING_MIN_COLS 12
#define STRING_MAX_COLS 4096
#define STRING_MAX_LANES 4	/* 1, 2 or 4 */

/*
 * Returns memory multiplied by the time for which it is held, in bytes times
 * passes.  memory is the result of lyra2_memory().  Lanes run in parallel, so a
 * hash with more lanes holds its memory for less time.
 */
static inline uint64_t string_cost(const struct lyra2_params *params,
				   uint64_t memory)
{
	return (params->t_cost + UINT64_C(1)) * (memory / params->lanes);
}

#endif
