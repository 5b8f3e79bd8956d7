/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: ranges, defaults, sizes and the limits for strings. */
#ifndef LYRA2_PARAMS_H
#define LYRA2_PARAMS_H

#include "core.h"

/*
 * 0 if a string may carry *params and they stay below its limits; else -1,
 * with errno and why as lyra2_parse() has them.
 */
LYRA2_INTERNAL int params_for_string(const struct lyra2_params *params,
				     char *why, size_t whysize);

/* Bytes of the matrix, of parameters known to be good. */
LYRA2_INTERNAL uint64_t params_matrix(const struct lyra2_params *params);

#endif
