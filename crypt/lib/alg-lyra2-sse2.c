/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 in SSE2. */
#include "crypt-port.h"

#ifdef LYRA2_X86

#define CORE_KERNEL lyra2_core_sse2
#define CORE_TARGET __attribute__((target("sse2")))
#define CORE_LANES 2
#include "alg-lyra2-kernel.h"
#include "alg-lyra2-vec-sse2.h"
#include "alg-lyra2-blamka.h"
#include "alg-lyra2-body.h"

#endif /* LYRA2_X86 */
