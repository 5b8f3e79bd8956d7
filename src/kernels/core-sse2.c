/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in SSE2. */
#define CORE_SET sse2
#define CORE_TARGET __attribute__((target("sse2")))
#define CORE_LANES 2
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "vec-sse2.h"
#include "core-function.h"
#include "core-body.h"
#endif
