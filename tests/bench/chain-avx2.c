/* SPDX-License-Identifier: BSD-2-Clause */
/* The chain of rounds in AVX2. */
#define CHAIN chain_avx2
#define CORE_TARGET __attribute__((target("avx2")))
#define CORE_LANES 4
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-avx2.h"
#include "tests/bench/chain.h"
#endif
