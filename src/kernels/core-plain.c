/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in portable C. */
#define CORE_SET plain
#define CORE_TARGET
#define CORE_LANES 1
#include "core-kernel.h"
#include "vec-plain.h"
#include "core-function.h"
#include "core-body.h"
