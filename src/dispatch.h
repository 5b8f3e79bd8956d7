/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of this build, and the one for this CPU. */
#ifndef LYRA2_DISPATCH_H
#define LYRA2_DISPATCH_H

#include <stdbool.h>

#include "core.h"

#define KERNEL(name, needs) KERNEL_##name,
enum kernel {
#include "kernels.def"
	KERNELS
};

/* What decides about a CPU: features, and its kind if kernels.def names it. */
enum {
	CPU_READ = 1 << 0,	/* always set */
	CPU_SSE2 = 1 << 1,
	CPU_AVX2 = 1 << 2,
	CPU_AVX512VL = 1 << 3,
	CPU_AVX512 = 1 << 4,	/* with DQ, BW and VBMI; and BMI2 */
	CPU_ZEN5 = 1 << 5,
};

/* Calls the kernel chosen for this CPU. */
LYRA2_INTERNAL lyra2_core_fn lyra2_core;

#if defined(__x86_64__) || defined(__i386__)
/* The kind of CPU that CPUID describes so, or 0, for tests. */
LYRA2_INTERNAL unsigned dispatch_kind(unsigned vendor, unsigned version);

/* What XCR0, EBX and ECX of leaf 7 allow with wide registers, for tests. */
LYRA2_INTERNAL unsigned dispatch_wide(unsigned saves, unsigned b, unsigned c);
#endif

/* Whether this CPU can run it. */
LYRA2_INTERNAL bool dispatch_usable(enum kernel kernel);

/* Its entry, without a self test. */
LYRA2_INTERNAL lyra2_core_fn *dispatch_entry(enum kernel kernel);

/* The usable kernel of that name, or KERNELS with errno ENOTSUP. */
LYRA2_INTERNAL enum kernel dispatch_find(const char *name);

/* The kernel for a CPU; *why, unless why is NULL, is set to the reason. */
LYRA2_INTERNAL enum kernel dispatch_choice(unsigned cpu, uint32_t lanes,
					   uint32_t rotation, const char **why);

/*
 * The entry of a kernel that has passed its self test in this process: the one
 * forced or, if that is KERNELS, the choice for this rotation and number of
 * lanes.  The self test may overwrite memory, SELFTEST_BYTES aligned to 64.
 * NULL with errno ENOTSUP if it fails.
 */
LYRA2_INTERNAL lyra2_core_fn *dispatch_core(enum kernel forced,
					    uint32_t lanes, uint32_t rotation,
					    void *memory);

#endif
