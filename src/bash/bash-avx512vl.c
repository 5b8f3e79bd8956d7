/* SPDX-License-Identifier: BSD-2-Clause */
/* Bash-f in AVX-512VL. */
#define CORE_KERNEL bash_blocks_avx512vl
#define CORE_TARGET __attribute__((target("avx2,avx512f,avx512vl")))
#define BASH_COLUMNS 4
#define BASH_SHORT 1
#include "bash.h"
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-avx512vl.h"
#include "bash-vec-avx2.h"
#include "bash-body.h"
#endif
