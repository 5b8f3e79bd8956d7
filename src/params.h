/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes that follow from parameters. */
#ifndef LYRA2_PARAMS_H
#define LYRA2_PARAMS_H

#include "core.h"

/* Bytes of the matrix, of parameters known to be good. */
LYRA2_INTERNAL uint64_t params_matrix(const struct lyra2_params *params);

#endif
