/* SPDX-License-Identifier: BSD-2-Clause */
/* Bash-f in SSE2. */
#define CORE_KERNEL bash_blocks_sse2
#define CORE_TARGET __attribute__((target("sse2")))
#define BASH_COLUMNS 4
#define BASH_SHORT 0
#include "bash.h"
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-sse2.h"
#include "bash-vec-sse2.h"
#include "bash-body.h"
#endif
