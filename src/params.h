/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes and limits of parameters. */
#ifndef LYRA2_PARAMS_H
#define LYRA2_PARAMS_H

#include "core.h"

/* The variant that strings and lyra2_kdf() compute */
static const struct lyra2_variant params_variant = { 128, 12, 1 };

/* Fills *reason, unless it is NULL, sets errno to error, and returns -1. */
__attribute__((format(printf, 4, 5)))
LYRA2_INTERNAL int params_refuse(struct lyra2_reason *reason, int error,
				 uint32_t field, const char *format, ...);

/* lyra2_check() for lyra2_kdf_variant() */
LYRA2_INTERNAL int params_check(const struct lyra2_params *params,
				const struct lyra2_variant *variant,
				struct lyra2_reason *reason);

/* Returns the matrix's bytes for checked parameters, or UINT64_MAX if more. */
LYRA2_INTERNAL uint64_t params_matrix(const struct lyra2_params *params,
				      uint32_t block_words);

#endif
