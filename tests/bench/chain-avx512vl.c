/* SPDX-License-Identifier: BSD-2-Clause */
/* The chain of rounds in AVX-512VL. */
#define CHAIN chain_avx512vl
#define CORE_TARGET __attribute__((target("avx2,avx512f,avx512vl")))
#define CORE_LANES 4
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-avx512vl.h"
#include "tests/bench/chain.h"
#endif
