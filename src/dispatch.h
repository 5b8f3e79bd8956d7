/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists the kernels of this build, and chooses one for the CPU. */
#ifndef LYRA2_DISPATCH_H
#define LYRA2_DISPATCH_H

#include <stdbool.h>

#include "core.h"

#define KERNEL(name, needs) KERNEL_##name,
enum kernel {
#include "kernels.def"
	KERNELS
};

/* Call the kernels chosen for this CPU: for one lane, and for several. */
LYRA2_INTERNAL lyra2_core_fn lyra2_core_alone, lyra2_core_together;

/* Returns true if this CPU can run the kernel. */
LYRA2_INTERNAL bool dispatch_usable(enum kernel kernel);

/* Returns the first kernel of kernels.def that this CPU can run. */
LYRA2_INTERNAL enum kernel dispatch_widest(void);

/* Returns kernel i of a list: the best, then the others as in kernels.def. */
LYRA2_INTERNAL enum kernel dispatch_nth(enum kernel best, size_t i);

/* Returns the entry of a kernel, without a self test. */
LYRA2_INTERNAL lyra2_core_fn *dispatch_entry(enum kernel kernel);

/* Returns the usable kernel with this name, or KERNELS with errno ENOTSUP. */
LYRA2_INTERNAL enum kernel dispatch_find(const char *name);

/*
 * Returns the kernel for cpu, a set of CPU_* in cpu.h, and sets *why to the
 * reason.  alone is true for one lane.
 */
LYRA2_INTERNAL enum kernel dispatch_choice(unsigned cpu, bool alone,
					   const char **why);

/*
 * Returns the entry of the kernel forced or, if that is KERNELS, of the choice
 * for this number of lanes.  The entry has passed its self test in this
 * process.  The self test may overwrite memory, which has SELFTEST_BYTES and is
 * aligned to 64.  Returns NULL with errno ENOTSUP if the self test fails.
 */
LYRA2_INTERNAL lyra2_core_fn *dispatch_core(enum kernel forced, uint32_t lanes,
					    void *memory);

#endif
