/* SPDX-License-Identifier: BSD-2-Clause */
/* Bash-f in portable C. */
#define CORE_KERNEL bash_blocks_plain
#define CORE_TARGET
#define BASH_COLUMNS 1
#define BASH_SHORT 0
#include "bash.h"
#include "core-kernel.h"
#include "vec-plain.h"
#include "bash-vec-plain.h"
#include "bash-body.h"
