/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses a kernel by the CPU, as kernels.def says.  For the default of strings
 * that happens once, when the library is relocated (ifunc), if the compiler and
 * the C library can do that.  A caller or LYRA2_KERNEL can name another.
 */
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"	/* LYRA2_IFUNC */
#include "selftest.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#ifndef bit_AVX512FP16	/* gcc 11 */
#define bit_AVX512FP16 (1 << 23)
#endif
#endif

#define KERNEL(name, needs) \
	LYRA2_KERNEL_ENTRY lyra2_core_fn lyra2_core_##name;
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

EARLY unsigned intel_kind(unsigned family, unsigned model)
{
	if (family != 6)
		return 0;
	if (model == 0x3c || model == 0x3f || model == 0x45 || model == 0x46)
		return CPU_HASWELL;
	if (model == 0x55)
		return CPU_SKYLAKE;
	if (model == 0x6a || model == 0x6c)
		return CPU_ICE_LAKE;
	return model == 0x8f || model == 0xcf ? CPU_GOLDEN_COVE : 0;
}

EARLY unsigned amd_kind(unsigned family, unsigned model)
{
	if (family == 0x17)
		return model >= 0x30 ? CPU_ZEN2 : 0;
	if (family == 0x19)
		return (model >= 0x10 && model < 0x20) || model >= 0x60 ?
		       CPU_ZEN4 : CPU_ZEN3;
	return family == 0x1a ? CPU_ZEN5 : 0;
}

/*
 * The kind of a CPU, or 0: by leaf 0's vendor, leaf 1's version and what leaf 7
 * has in EDX.  A virtual machine may show another model, but no features that
 * the CPU has not.
 */
EARLY unsigned cpu_kind(unsigned vendor, unsigned version, unsigned features)
{
	/* Each has a second part, which may be 0. */
	const unsigned family = (version >> 8 & 15) + (version >> 20 & 255);
	const unsigned model = (version >> 4 & 15) + (version >> 12 & 0xf0);

	if (vendor == signature_AMD_ebx)
		return amd_kind(family, model);
	if (vendor != signature_INTEL_ebx)
		return 0;
	return features & bit_AVX512FP16 ? CPU_GOLDEN_COVE :
					   intel_kind(family, model);
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
	if (d & bit_SSE2)
		cpu |= CPU_SSE2;
	if (max < 7 || !(c & bit_OSXSAVE))
		return cpu | cpu_kind(vendor, version, 0);
	__asm__ __volatile__("xgetbv" : "=a"(saves), "=d"(d) : "c"(0));
	__cpuid_count(7, 0, a, b, c, d);
	cpu |= cpu_kind(vendor, version, d);
	if ((saves & SAVES_AVX) == SAVES_AVX && b & bit_AVX2)
		cpu |= CPU_AVX2;
	if (b & bit_BMI2)
		cpu |= CPU_BMI2;
	if ((saves & SAVES_AVX512) == SAVES_AVX512 && b & bit_AVX512F &&
	    b & bit_AVX512VL)
		cpu |= CPU_AVX512VL;
	return cpu;
}

#ifndef LYRA2_SMALL
unsigned dispatch_kind(unsigned vendor, unsigned version, unsigned features)
{
	return cpu_kind(vendor, version, features);
}
#endif
#else
EARLY unsigned cpu_read(void)
{
	return CPU_READ;
}
#endif

/* Reads it once. */
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

EARLY lyra2_core_fn *entry(enum kernel kernel)
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
EARLY enum kernel listed(unsigned cpu, uint32_t sponge)
{
	enum kernel k = KERNELS;

	(void)sponge;
#define CHOICE(kind, blake2b, blamka, half, ground) \
	if (cpu & CPU_##kind) \
		k = sponge == LYRA2_BLAKE2B ? KERNEL_##blake2b : \
		    sponge == LYRA2_BLAMKA ? KERNEL_##blamka : KERNEL_##half;
#include "kernels.def"
	/* A virtual machine may hide what CPUs of its kind have. */
	return usable(k, cpu) ? k : KERNELS;
}

EARLY enum kernel choose(unsigned cpu, uint32_t lanes, uint32_t sponge)
{
	const enum kernel k = lanes == 1 ? listed(cpu, sponge) : KERNELS;

	return k < KERNELS ? k : widest(cpu);
}

/* What the ifunc resolves to: the default of strings. */
EARLY enum kernel choose_default(unsigned cpu)
{
	return choose(cpu, 1, LYRA2_BLAMKA);
}

#if defined(LYRA2_IFUNC)
EARLY lyra2_core_fn *resolve_inline(void)
{
	return entry(choose_default(cpu_read()));
}

/* Not inline, as the attribute ifunc needs it, but as careful. */
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
	entry(choose_default(cpu_here()))(job);
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
	return entry(kernel);
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

enum kernel dispatch_asked(enum kernel forced, enum kernel choice)
{
	const char *name = secure_getenv("LYRA2_KERNEL");

	if (forced < KERNELS)
		return forced;
	return name ? dispatch_find(name) : choice;
}

static const char *ground(unsigned cpu)
{
#define CHOICE(kind, blake2b, blamka, half, ground) \
	if (cpu & CPU_##kind) \
		return ground;
#include "kernels.def"
	(void)cpu;
	return NULL;
}

enum kernel dispatch_choice(unsigned cpu, uint32_t lanes, uint32_t sponge,
			    const char **why)
{
	if (why)
		*why = lanes == 1 && listed(cpu, sponge) < KERNELS ?
		       ground(cpu) : "widest";
	return choose(cpu, lanes, sponge);
}

const char *lyra2_kernel_for(const struct lyra2_params *params,
			     const char **why)
{
	struct lyra2_params p;
	const char *reason;
	enum kernel k;

	lyra2_params_init(&p);
	if (params)
		p = *params;
	if (lyra2_check(&p, NULL, 0) < 0)
		return NULL;
	k = dispatch_choice(cpu_here(), p.lanes, p.sponge, &reason);
	if (secure_getenv("LYRA2_KERNEL"))
		reason = "LYRA2_KERNEL asks for it";
	k = dispatch_asked(KERNELS, k);
	if (why && k < KERNELS)
		*why = reason;
	return k < KERNELS ? kernel_name(k) : NULL;
}

const char *lyra2_kernel(void)
{
	return lyra2_kernel_for(NULL, NULL);
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
			     uint32_t sponge, void *memory)
{
	static char passed[KERNELS];
	const unsigned cpu = cpu_here();
	const enum kernel choice = choose(cpu, lanes, sponge);
	const enum kernel k = dispatch_asked(forced, choice);
	lyra2_core_fn *core;

	if (k >= KERNELS)
		return NULL;
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
