/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses a kernel for the CPU, as kernels.def says.  With ifunc, the choice
 * for the default parameters happens once, when the library is relocated.  A
 * context can have another kernel.
 */
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"	/* LYRA2_IFUNC */
#include "cpu.h"
#include "params.h"
#include "selftest.h"

#define KERNEL(name, needs) \
	LYRA2_INTERNAL lyra2_core_fn lyra2_core_##name;
#include "kernels.def"

/* Returns cpu_read(), and keeps it for later calls. */
static unsigned cpu_here(void)
{
	static unsigned known;
	unsigned cpu = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!cpu) {
		cpu = cpu_read();
		__atomic_store_n(&known, cpu, __ATOMIC_RELAXED);
	}
	return cpu;
}

EARLY bool usable(enum kernel kernel, unsigned cpu)
{
	(void)cpu;
#define KERNEL(name, needs) case KERNEL_##name: return (needs) != 0;
	switch (kernel) {
#include "kernels.def"
	default:
		return false;
	}
}

EARLY lyra2_core_fn *kernel_entry(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return lyra2_core_##name;
	switch (kernel) {
#include "kernels.def"
	default:
		return lyra2_core_plain;
	}
}

EARLY enum kernel widest(unsigned cpu)
{
	enum kernel k = 0;

	while (!usable(k, cpu))
		k++;
	return k;
}

/* Returns the kernel of the CHOICE in kernels.def that fits, or KERNELS. */
EARLY enum kernel listed(unsigned cpu, uint32_t lanes, uint32_t rotation)
{
	enum kernel k = KERNELS;

#define CHOICE(kind, fits, kernel, reason) \
	if (cpu & CPU_##kind && (fits)) \
		k = KERNEL_##kernel;
#include "kernels.def"
	(void)lanes;
	(void)rotation;
	/* A virtual machine may hide features that CPUs of its kind have. */
	return usable(k, cpu) ? k : KERNELS;
}

EARLY enum kernel choose(unsigned cpu, uint32_t lanes, uint32_t rotation)
{
	const enum kernel k = listed(cpu, lanes, rotation);

	return k < KERNELS ? k : widest(cpu);
}

/* Returns the kernel for 2 lanes and a rotation of 128, as in the default. */
EARLY enum kernel choose_default(unsigned cpu)
{
	return choose(cpu, 2, 128);
}

#if defined(LYRA2_IFUNC)
EARLY lyra2_core_fn *resolve_inline(void)
{
	return kernel_entry(choose_default(cpu_read()));
}

/* The attribute ifunc needs a function that is not inline; else like EARLY. */
#if defined(__clang__)
__attribute__((used, disable_sanitizer_instrumentation,
	       no_sanitize("address", "undefined", "thread", "memory")))
#else
__attribute__((used, no_sanitize("address", "undefined", "thread"),
	       no_stack_protector))
#endif
static lyra2_core_fn *resolve(void)
{
	return resolve_inline();
}

void lyra2_core(const struct lyra2_job *job)
	__attribute__((ifunc("resolve")));
#else
void lyra2_core(const struct lyra2_job *job)
{
	kernel_entry(choose_default(cpu_here()))(job);
}
#endif

/* ---- kernels by name, and those that have been tested ---- */

static const char *kernel_name(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return #name;
	switch (kernel) {
#include "kernels.def"
	default:
		return NULL;
	}
}

bool dispatch_usable(enum kernel kernel)
{
	return usable(kernel, cpu_here());
}

enum kernel dispatch_widest(void)
{
	return widest(cpu_here());
}

lyra2_core_fn *dispatch_entry(enum kernel kernel)
{
	return kernel_entry(kernel);
}

enum kernel dispatch_find(const char *name)
{
	enum kernel k;

	for (k = 0; k < KERNELS; k++)
		if (strcmp(kernel_name(k), name) == 0 && dispatch_usable(k))
			return k;
	errno = ENOTSUP;
	return KERNELS;
}

static const char *reason(unsigned cpu, uint32_t lanes, uint32_t rotation)
{
#define CHOICE(kind, fits, kernel, reason) \
	if (cpu & CPU_##kind && (fits)) \
		return reason;
#include "kernels.def"
	(void)cpu;
	(void)lanes;
	(void)rotation;
	return NULL;
}

enum kernel dispatch_choice(unsigned cpu, uint32_t lanes, uint32_t rotation,
			    const char **why)
{
	const enum kernel k = choose(cpu, lanes, rotation);

	if (why)
		*why = k == widest(cpu) ? "widest" :
				      reason(cpu, lanes, rotation);
	return k;
}

const char *lyra2_kernel_for(uint32_t lanes, const char **why)
{
	return kernel_name(dispatch_choice(cpu_here(), lanes, 128, why));
}

enum kernel dispatch_nth(enum kernel best, size_t i)
{
	if (i == 0)
		return best;
	return (enum kernel)(i <= (size_t)best ? i - 1 : i);
}

const char *lyra2_kernel_at(size_t i, int *is_usable)
{
	enum kernel k;

	if (i >= KERNELS)
		return NULL;
	k = dispatch_nth(choose_default(cpu_here()), i);
	if (is_usable)
		*is_usable = dispatch_usable(k);
	return kernel_name(k);
}

/*
 * A function that calls lyra2_core(), because the address of a hidden ifunc
 * cannot be taken in a shared object for arm64 (binutils 2.40).
 */
static void automatic_core(const struct lyra2_job *job)
{
	lyra2_core(job);
}

lyra2_core_fn *dispatch_core(enum kernel forced, uint32_t lanes,
			     uint32_t rotation, void *memory)
{
	static char passed[KERNELS];
	const unsigned cpu = cpu_here();
	const enum kernel k = forced < KERNELS ? forced :
						 choose(cpu, lanes, rotation);
	lyra2_core_fn *core;

	core = k == choose_default(cpu) ? automatic_core : dispatch_entry(k);
	if (__atomic_load_n(&passed[k], __ATOMIC_RELAXED))
		return core;
	if (!selftest(core, memory)) {
		errno = ENOTSUP;
		return NULL;
	}
	__atomic_store_n(&passed[k], 1, __ATOMIC_RELAXED);
	return core;
}
