/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel in the compiler's generic vectors. */
#define CORE_KERNEL lyra2_core_vector
#define CORE_TARGET
#define CORE_LANES 1
#include "core-kernel.h"
#include "row-vector.h"
#include "core-body.h"
#include "core-entry.h"
