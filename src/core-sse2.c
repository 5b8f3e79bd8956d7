/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in SSE2. */
#define CORE_KERNEL lyra2_core_sse2
#define CORE_TARGET __attribute__((target("sse2")))
#include "core.h"
#include "row-sse2.h"
#include "core-body.h"
