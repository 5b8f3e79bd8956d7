/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of this build, and the one for this CPU. */
#ifndef LYRA2_DISPATCH_H
#define LYRA2_DISPATCH_H

#include "core.h"

#define KERNEL(name, needs) KERNEL_##name,
enum kernel {
#include "kernels.def"
	KERNELS
};
#undef KERNEL

/* The choice for this CPU, which lyra2_core() is bound to. */
LYRA2_INTERNAL enum kernel kernel_auto(void);
LYRA2_INTERNAL lyra2_core_fn lyra2_core;

/*
 * The choice for several lanes: the first usable of kernels.def, whose vectors
 * hold the states of several at once, where one lane alone may be faster in
 * scalar code.
 */
LYRA2_INTERNAL enum kernel kernel_lanes(void);

LYRA2_INTERNAL const char *kernel_name(enum kernel kernel);

/* Whether this CPU can run it. */
LYRA2_INTERNAL int kernel_usable(enum kernel kernel);

/* Its entry, called directly. */
LYRA2_INTERNAL lyra2_core_fn *kernel_core(enum kernel kernel);

#endif
