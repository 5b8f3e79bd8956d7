/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of Bash for this CPU. */
#ifndef LYRA2_BASH_DISPATCH_H
#define LYRA2_BASH_DISPATCH_H

#include "bash.h"
#include "dispatch.h"

/*
 * Returns the kernel forced or, if that is KERNELS, the one that is fastest on
 * this CPU.  It has passed its self test in this process.  Returns NULL with
 * errno ENOTSUP if the self test fails.
 */
LYRA2_INTERNAL bash_blocks_fn *bash_dispatch(enum kernel forced);

#endif
