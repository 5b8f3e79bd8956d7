/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in portable C. */
#define CORE_KERNEL lyra2_core_plain
#define CORE_TARGET
#define CORE_LANES 1
#include "core-kernel.h"
#include "row-plain.h"
#include "core-entry.h"
