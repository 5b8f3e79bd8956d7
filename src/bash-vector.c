/* SPDX-License-Identifier: BSD-2-Clause */
/* Bash-f in the compiler's generic vectors. */
#define CORE_KERNEL bash_blocks_vector
#define CORE_TARGET
#define BASH_COLUMNS 4
#define BASH_SHORT 0
#include "bash.h"
#include "core-kernel.h"
#include "row-vector.h"
#include "bash-body.h"
