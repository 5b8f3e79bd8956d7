/* SPDX-License-Identifier: BSD-2-Clause */
/* Test vectors that a kernel must compute before it hashes a password. */
#ifndef LYRA2_SELFTEST_H
#define LYRA2_SELFTEST_H

#include "core.h"

/* Memory of the self test; a thread may have too little stack for it. */
enum { SELFTEST_BYTES = 9216 };

/*
 * Returns 1 if core computes every test vector, else 0.  memory has
 * SELFTEST_BYTES, aligned to 64.
 */
LYRA2_INTERNAL int selftest(lyra2_core_fn *core, void *memory);

#endif
