/* SPDX-License-Identifier: BSD-2-Clause */
/* Known answers that a kernel must give before it hashes a password. */
#ifndef LYRA2_SELFTEST_H
#define LYRA2_SELFTEST_H

#include "core.h"

/* 1 if core computes every known answer, else 0. */
LYRA2_INTERNAL int selftest(lyra2_core_fn *core);

#endif
