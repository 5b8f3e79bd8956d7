/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes and limits of parameters. */
#ifndef LYRA2_PARAMS_H
#define LYRA2_PARAMS_H

#include "core.h"

/* *params, or the defaults for NULL, without a 0. */
LYRA2_INTERNAL struct lyra2_params
params_filled(const struct lyra2_params *params);

/* Bytes of the matrix, of parameters known to be good. */
LYRA2_INTERNAL uint64_t params_matrix(const struct lyra2_params *params);

/*
 * 0 if parameters known to be good take no more than max_memory bytes and
 * max_work, in units of lyra2_work(); else -1, EDOM and why.
 */
LYRA2_INTERNAL int params_check_limits(const struct lyra2_params *params,
				       uint64_t max_memory, uint64_t max_work,
				       char *why, size_t whysize);

#endif
