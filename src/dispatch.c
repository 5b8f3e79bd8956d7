/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses a kernel for the CPU, as kernels.def says.  With ifunc, the choices
 * for one lane and for several happen once, when the library is relocated.  A
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

/*
 * Each kernel has code of its own for each of four functions, see
 * kernels/core-function.h.  core_NAME() calls that for the job's.
 */
#define KERNEL(name, needs) \
	LYRA2_INTERNAL lyra2_core_fn lyra2_blamka_##name, \
		lyra2_blake2b_30_128_##name, lyra2_blake2b_25_128_##name, \
		lyra2_blake2b_25_256_##name; \
	static void core_##name(const struct lyra2_job *job) \
	{ \
		if (job->params.sponge == LYRA2_BLAMKA) \
			lyra2_blamka_##name(job); \
		else if (job->params.version == 30) \
			lyra2_blake2b_30_128_##name(job); \
		else if (job->rotation == 128) \
			lyra2_blake2b_25_128_##name(job); \
		else \
			lyra2_blake2b_25_256_##name(job); \
	}
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
#define KERNEL(name, needs) case KERNEL_##name: return core_##name;
	switch (kernel) {
#include "kernels.def"
	default:
		return core_plain;
	}
}

EARLY enum kernel widest(unsigned cpu)
{
	enum kernel k = 0;

	while (!usable(k, cpu))
		k++;
	return k;
}

/*
 * Returns the first CHOICE of kernels.def that fits, or the widest kernel, and
 * sets *why.  A virtual machine may hide features that CPUs of its kind have.
 */
EARLY enum kernel choose(unsigned cpu, bool alone, const char **why)
{
#define CHOICE(kind, fits, kernel, reason) \
	if (cpu & CPU_##kind && (fits) && usable(KERNEL_##kernel, cpu)) { \
		*why = reason; \
		return KERNEL_##kernel; \
	}
#include "kernels.def"
	(void)alone;
	*why = "widest";
	return widest(cpu);
}

/* Only x86 has more than one kernel. */
#if defined(LYRA2_IFUNC) && (defined(__x86_64__) || defined(__i386__))
EARLY lyra2_core_fn *resolve(bool alone)
{
	const char *why;

	return kernel_entry(choose(cpu_read(), alone, &why));
}

/* The attribute ifunc needs a function that is not inline; else like EARLY. */
#if defined(__clang__)
#define RESOLVER __attribute__((used, disable_sanitizer_instrumentation, \
	no_sanitize("address", "undefined", "thread", "memory"))) static
#else
#define RESOLVER __attribute__((used, \
	no_sanitize("address", "undefined", "thread"), \
	no_stack_protector)) static
#endif

RESOLVER lyra2_core_fn *resolve_alone(void)
{
	return resolve(true);
}

RESOLVER lyra2_core_fn *resolve_together(void)
{
	return resolve(false);
}

void lyra2_core_alone(const struct lyra2_job *job)
	__attribute__((ifunc("resolve_alone")));
void lyra2_core_together(const struct lyra2_job *job)
	__attribute__((ifunc("resolve_together")));
#else
void lyra2_core_alone(const struct lyra2_job *job)
{
	const char *why;

	kernel_entry(choose(cpu_here(), true, &why))(job);
}

void lyra2_core_together(const struct lyra2_job *job)
{
	const char *why;

	kernel_entry(choose(cpu_here(), false, &why))(job);
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

enum kernel dispatch_choice(unsigned cpu, bool alone, const char **why)
{
	return choose(cpu, alone, why);
}

const char *lyra2_kernel_for(uint32_t lanes, const char **why)
{
	const char *reason;
	const enum kernel k = choose(cpu_here(), lanes == 1, &reason);

	if (why)
		*why = reason;
	return kernel_name(k);
}

enum kernel dispatch_nth(enum kernel best, size_t i)
{
	if (i == 0)
		return best;
	return (enum kernel)(i <= (size_t)best ? i - 1 : i);
}

const char *lyra2_kernel_at(size_t i, int *is_usable)
{
	const char *why;
	enum kernel k;

	if (i >= KERNELS)
		return NULL;
	k = dispatch_nth(choose(cpu_here(), false, &why), i);
	if (is_usable)
		*is_usable = dispatch_usable(k);
	return kernel_name(k);
}

lyra2_core_fn *dispatch_core(enum kernel forced, uint32_t lanes, void *memory)
{
	static char passed[KERNELS + 2];
	lyra2_core_fn *core = lanes == 1 ? lyra2_core_alone :
					   lyra2_core_together;
	size_t i = (size_t)KERNELS + (lanes == 1);

	if (forced < KERNELS) {
		core = dispatch_entry(forced);
		i = forced;
	}
	if (__atomic_load_n(&passed[i], __ATOMIC_RELAXED))
		return core;
	if (!selftest(core, memory)) {
		errno = ENOTSUP;
		return NULL;
	}
	__atomic_store_n(&passed[i], 1, __ATOMIC_RELAXED);
	return core;
}
