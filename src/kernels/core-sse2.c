/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in SSE2. */
#define CORE_KERNEL lyra2_core_sse2
#define CORE_TARGET __attribute__((target("sse2")))
#define CORE_LANES 2
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "row-sse2.h"
#include "core-entry.h"
#endif
