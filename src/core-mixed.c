/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in general registers and AVX2. */
#define CORE_KERNEL lyra2_core_mixed
#define CORE_TARGET __attribute__((target("avx2,bmi2")))
#define CORE_LANES 1
#include "core-kernel.h"
#ifdef __x86_64__
#include "row-mixed.h"
#include "core-body.h"
#include "core-entry.h"
#endif
