/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes and limits of parameters. */
#ifndef LYRA2_PARAMS_H
#define LYRA2_PARAMS_H

#include "core.h"

enum {
	PARAMS_ROTATION = 128,	/* that of strings and of lyra2_kdf() */
	PARAMS_BLOCK = 96,	/* bytes of a block */
};

/* Fills *reason, unless it is NULL, sets errno to error, and returns -1. */
__attribute__((format(printf, 4, 5)))
LYRA2_INTERNAL int params_refuse(struct lyra2_reason *reason, int error,
				 uint32_t field, const char *format, ...);

/* lyra2_check() for lyra2_kdf_rotation() */
LYRA2_INTERNAL int params_check(const struct lyra2_params *params,
				uint32_t rotation,
				struct lyra2_reason *reason);

/* Returns the matrix's bytes for checked parameters, or UINT64_MAX if more. */
LYRA2_INTERNAL uint64_t params_matrix(const struct lyra2_params *params);

#endif
