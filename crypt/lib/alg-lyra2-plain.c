/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 in portable C. */
#include "crypt-port.h"

#ifdef LYRA2_C

#define CORE_KERNEL lyra2_core_plain
#define CORE_TARGET
#define CORE_LANES 1
#include "alg-lyra2-kernel.h"
#include "alg-lyra2-vec-plain.h"
#include "alg-lyra2-blamka.h"
#include "alg-lyra2-body.h"

#endif /* LYRA2_C */
