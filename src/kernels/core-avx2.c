/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in AVX2. */
#define CORE_SET avx2
#define CORE_TARGET __attribute__((target("avx2")))
#define CORE_LANES 4
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-avx2.h"
#include "core-function.h"
#include "core-body.h"
#endif
