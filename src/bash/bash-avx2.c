/* SPDX-License-Identifier: BSD-2-Clause */
/* Bash-f in AVX2. */
#define CORE_KERNEL bash_blocks_avx2
#define CORE_TARGET __attribute__((target("avx2")))
#define BASH_COLUMNS 4
#define BASH_SHORT 1
#include "bash.h"
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-avx2.h"
#include "bash-vec-avx2.h"
#include "bash-body.h"
#endif
