/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses a kernel: once, when the library is relocated (ifunc), or at the
 * first call where the compiler or the C library has no ifunc.  A caller or
 * LYRA2_KERNEL can name another.
 */
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"	/* LYRA2_IFUNC */
#include "selftest.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define KERNEL(name, needs) \
	LYRA2_KERNEL_ENTRY lyra2_core_fn lyra2_core_##name;
#include "kernels.def"
#undef KERNEL

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

/*
 * The CPU features that decide.  This does not use __builtin_cpu_supports():
 * with it, libgcc reads CPUID at each program start, which takes about 0.1 ms
 * on a virtual machine.
 */
enum { CPU_READ = 1, CPU_SSE2 = 2, CPU_AVX2 = 4, CPU_AVX512VL = 8,
       CPU_ZEN5 = 16, CPU_BMI2 = 32 };

#if defined(__x86_64__) || defined(__i386__)
/* Which registers the operating system saves: XCR0. */
enum { SAVES_AVX = 0x6, SAVES_AVX512 = 0xe6 };

/* Macros: <cpuid.h>'s functions are not as careful as EARLY. */
EARLY unsigned cpu_read(void)
{
	unsigned a, b, c, d, max, saves, amd, features = CPU_READ;

	__cpuid(0, max, b, c, d);
	amd = b == signature_AMD_ebx;
	__cpuid(1, a, b, c, d);
	if (amd && (a >> 8 & 15) + (a >> 20 & 255) == 0x1a)
		features |= CPU_ZEN5;
	if (d & bit_SSE2)
		features |= CPU_SSE2;
	if (max < 7 || !(c & bit_OSXSAVE))
		return features;
	__asm__ __volatile__("xgetbv" : "=a"(saves), "=d"(d) : "c"(0));
	__cpuid_count(7, 0, a, b, c, d);
	if ((saves & SAVES_AVX) == SAVES_AVX && b & bit_AVX2)
		features |= CPU_AVX2;
	if (b & bit_BMI2)
		features |= CPU_BMI2;
	if ((saves & SAVES_AVX512) == SAVES_AVX512 && b & bit_AVX512F &&
	    b & bit_AVX512VL)
		features |= CPU_AVX512VL;
	return features;
}
#else
EARLY unsigned cpu_read(void)
{
	return CPU_READ;
}
#endif

/* Reads them once. */
static unsigned cpu_features(void)
{
	static unsigned known;
	unsigned features = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!features) {
		features = cpu_read();
		__atomic_store_n(&known, features, __ATOMIC_RELAXED);
	}
	return features;
}

EARLY bool usable(enum kernel kernel, unsigned features)
{
	(void)features;
#define KERNEL(name, needs) case KERNEL_##name: return (needs) != 0;
	switch (kernel) {
#include "kernels.def"
	default:
		return false;
	}
#undef KERNEL
}

EARLY lyra2_core_fn *entry(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return lyra2_core_##name;
	switch (kernel) {
#include "kernels.def"
	default:
		return lyra2_core_plain;
	}
#undef KERNEL
}

/* The kernel that was measured to be best on this CPU, else KERNELS. */
EARLY enum kernel favourite(unsigned features)
{
	/* Vector integers take two cycles there: plain 15 ns, AVX2 19. */
	return features & CPU_ZEN5 ? KERNEL_plain : KERNELS;
}

EARLY enum kernel first_usable(unsigned features)
{
	enum kernel k = 0;

	while (!usable(k, features))
		k++;
	return k;
}

EARLY enum kernel choose(unsigned features)
{
	const enum kernel k = favourite(features);

	return k < KERNELS ? k : first_usable(features);
}

#if defined(LYRA2_IFUNC)
EARLY lyra2_core_fn *resolve_inline(void)
{
	return entry(choose(cpu_read()));
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
	entry(choose(cpu_features()))(job);
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
#undef KERNEL
}

bool dispatch_usable(enum kernel kernel)
{
	return usable(kernel, cpu_features());
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

enum kernel dispatch_asked(enum kernel forced, enum kernel (*choice)(void))
{
	const char *name = secure_getenv("LYRA2_KERNEL");

	if (forced < KERNELS)
		return forced;
	return name ? dispatch_find(name) : choice();
}

static enum kernel choose_for_one(void)
{
	return choose(cpu_features());
}

static enum kernel choose_for_many(void)
{
	return first_usable(cpu_features());
}

/* What LYRA2_KERNEL asks for, else the automatic choice. */
/*
 * One lane of BLAKE2b, without the multiplications of BlaMka: on Zen 5, mixed
 * takes 14.1 ns for a duplexing and plain 16.8; for BlaMka 24.0 and 21.2.
 */
static enum kernel choose_for_blake2b(void)
{
#if defined(__x86_64__) && !defined(LYRA2_SMALL)
	const unsigned features = cpu_features();

	if (features & CPU_ZEN5 && usable(KERNEL_mixed, features))
		return KERNEL_mixed;
#endif
	return choose_for_one();
}

static enum kernel current(enum kernel forced, uint32_t lanes,
			   uint32_t sponge)
{
	if (lanes > 1)
		return dispatch_asked(forced, choose_for_many);
	return dispatch_asked(forced, sponge == LYRA2_BLAKE2B ?
				      choose_for_blake2b : choose_for_one);
}

const char *lyra2_kernel(void)
{
	const enum kernel k = current(KERNELS, 1, LYRA2_BLAMKA);

	return k < KERNELS ? kernel_name(k) : NULL;
}

const char *lyra2_kernel_at(size_t i, int *is_usable)
{
	const enum kernel best = choose(cpu_features());
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
	const enum kernel k = current(forced, lanes, sponge);
	lyra2_core_fn *core;

	if (k >= KERNELS)
		return NULL;
	core = k == choose(cpu_features()) ? automatic_core : dispatch_entry(k);
	if (__atomic_load_n(&passed[k], __ATOMIC_RELAXED))
		return core;
	if (!selftest(core, memory)) {
		errno = ENOTSUP;
		return NULL;
	}
	__atomic_store_n(&passed[k], 1, __ATOMIC_RELAXED);
	return core;
}
