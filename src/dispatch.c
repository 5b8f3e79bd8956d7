/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses a kernel for the CPU, as kernels.def says.  With ifunc, the choice
 * for the default of strings happens once, when the library is relocated.  A
 * context can have another kernel.
 */
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"	/* LYRA2_IFUNC */
#include "params.h"
#include "selftest.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define KERNEL(name, needs) \
	LYRA2_INTERNAL lyra2_core_fn lyra2_core_##name;
#include "kernels.def"

/*
 * The resolver runs before the library is relocated and before sanitizers
 * are ready: it and what it calls use no libc, no table and no check.
 */
#if defined(__clang__)
#define EARLY static inline __attribute__((always_inline, \
	disable_sanitizer_instrumentation, \
	no_sanitize("address", "undefined", "thread", "memory")))
#else
#define EARLY static inline __attribute__((always_inline, \
	no_sanitize("address", "undefined", "thread")))
#endif

#if defined(__x86_64__) || defined(__i386__)
/* Which registers the operating system saves: XCR0. */
enum { SAVES_AVX = 0x6, SAVES_AVX512 = 0xe6 };

/* Returns the kind of a CPU, or 0, by leaf 0's vendor and leaf 1's version. */
EARLY unsigned cpu_kind(unsigned vendor, unsigned version)
{
	/* It has a second part, which may be 0. */
	const unsigned family = (version >> 8 & 15) + (version >> 20 & 255);

	return vendor == signature_AMD_ebx && family == 0x1a ? CPU_ZEN5 : 0;
}

/* Of the features in leaf 7's EBX and ECX, those whose registers are saved. */
EARLY unsigned cpu_wide(unsigned saves, unsigned b, unsigned c)
{
	const unsigned vl = bit_AVX512F | bit_AVX512VL;
	const unsigned more = bit_AVX512DQ | bit_AVX512BW | bit_BMI2;
	unsigned cpu = 0;

	if ((saves & SAVES_AVX) == SAVES_AVX && b & bit_AVX2)
		cpu |= CPU_AVX2;
	if ((saves & SAVES_AVX512) != SAVES_AVX512 || (b & vl) != vl)
		return cpu;
	cpu |= CPU_AVX512VL;
	if ((b & more) == more && c & bit_AVX512VBMI)
		cpu |= CPU_AVX512;
	return cpu;
}

/*
 * Macros: <cpuid.h>'s functions are not as careful as EARLY.  Nor is this
 * __builtin_cpu_supports(): with it, libgcc reads CPUID at each program start,
 * which takes about 0.1 ms on a virtual machine.
 */
EARLY unsigned cpu_read(void)
{
	unsigned a, b, c, d, max, saves, vendor, version, cpu = CPU_READ;

	__cpuid(0, max, vendor, c, d);
	__cpuid(1, version, b, c, d);
	cpu |= cpu_kind(vendor, version);
	if (d & bit_SSE2)
		cpu |= CPU_SSE2;
	if (max < 7 || !(c & bit_OSXSAVE))
		return cpu;
	__asm__ __volatile__("xgetbv" : "=a"(saves), "=d"(d) : "c"(0));
	__cpuid_count(7, 0, a, b, c, d);
	return cpu | cpu_wide(saves, b, c);
}

unsigned dispatch_kind(unsigned vendor, unsigned version)
{
	return cpu_kind(vendor, version);
}

unsigned dispatch_wide(unsigned saves, unsigned b, unsigned c)
{
	return cpu_wide(saves, b, c);
}
#else
EARLY unsigned cpu_read(void)
{
	return CPU_READ;
}
#endif

/* Returns cpu_read(), which it calls once. */
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

/* The kernel in the row of kernels.def for this kind of CPU, else KERNELS. */
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

/* Returns the kernel for the default of strings, for the ifunc. */
EARLY enum kernel choose_default(unsigned cpu)
{
	return choose(cpu, 2, 128);
}

#if defined(LYRA2_IFUNC)
EARLY lyra2_core_fn *resolve_inline(void)
{
	return kernel_entry(choose_default(cpu_read()));
}

/* Not inline, as the attribute ifunc needs it, but as careful as EARLY. */
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

const char *lyra2_kernel_at(size_t i, int *is_usable)
{
	const enum kernel best = choose_default(cpu_here());
	enum kernel k;

	if (i >= KERNELS)
		return NULL;
	/* The choice comes first; those before it move up by one. */
	k = i == 0 ? best : (enum kernel)(i <= (size_t)best ? i - 1 : i);
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
