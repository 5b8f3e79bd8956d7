/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What strings may say, beside the limits in lyra2.h, and what a string costs
 * an attacker: for the library, the tool and the service.
 */
#ifndef LYRA2_BOUNDS_H
#define LYRA2_BOUNDS_H

#include "lyra2.h"

#define STRING_MIN_T_COST 2
#define STRING_MIN_COLS 12
#define STRING_MAX_COLS 4096
#define STRING_MAX_LANES 4	/* 1, 2 or 4 */

/*
 * Memory for the time that it is held, in bytes times passes: memory is that of
 * lyra2_memory().  Lanes run at the same time, so more of them hold it shorter.
 */
static inline uint64_t string_cost(const struct lyra2_params *params,
				   uint64_t memory)
{
	return (params->t_cost + UINT64_C(1)) * (memory / params->lanes);
}

#endif
