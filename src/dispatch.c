/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses a kernel: once, when the library is relocated (ifunc), or at the
 * first call where the compiler or the C library has no ifunc.
 */
#include "config.h"	/* LYRA2_IFUNC */
#include "dispatch.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define KERNEL(name, needs) LYRA2_INTERNAL lyra2_core_fn lyra2_core_##name;
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

EARLY int usable(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return (needs) != 0;
	switch (kernel) {
#include "kernels.def"
	default:
		return 0;
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

/* The family of a CPU by AMD, else 0. */
EARLY unsigned amd_family(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned a, b, c, d;

	/* Macros: <cpuid.h>'s functions are not as careful as EARLY. */
	__cpuid(0, a, b, c, d);
	if (b != signature_AMD_ebx)
		return 0;
	__cpuid(1, a, b, c, d);
	return (a >> 8 & 15) + (a >> 20 & 255);
#else
	return 0;
#endif
}

/* The kernel that was measured to be best on this CPU, else KERNELS. */
EARLY enum kernel cpu_favourite(void)
{
	/* Zen 5: vector integers take two cycles; plain 15 ns, AVX2 19. */
	if (amd_family() == 0x1a)
		return KERNEL_plain;
	return KERNELS;
}

EARLY enum kernel first_usable(void)
{
	enum kernel k = 0;

#if defined(__x86_64__) || defined(__i386__)
	__builtin_cpu_init();
#endif
	while (!usable(k))
		k++;
	return k;
}

EARLY enum kernel choose(void)
{
	const enum kernel k = cpu_favourite();

	return k < KERNELS ? k : first_usable();
}

#if defined(LYRA2_IFUNC)
EARLY lyra2_core_fn *resolve_inline(void)
{
	return entry(choose());
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
	static lyra2_core_fn *core;
	lyra2_core_fn *f = __atomic_load_n(&core, __ATOMIC_RELAXED);

	if (!f) {
		f = entry(choose());
		__atomic_store_n(&core, f, __ATOMIC_RELAXED);
	}
	f(job);
}
#endif

enum kernel kernel_auto(void)
{
	return choose();
}

enum kernel kernel_lanes(void)
{
	return first_usable();
}

const char *kernel_name(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return #name;
	switch (kernel) {
#include "kernels.def"
	default:
		return NULL;
	}
#undef KERNEL
}

int kernel_usable(enum kernel kernel)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_cpu_init();
#endif
	return usable(kernel);
}

lyra2_core_fn *kernel_core(enum kernel kernel)
{
	return entry(kernel);
}
