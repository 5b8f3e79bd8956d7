/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For dispatch.c: reads which features in kernels.def this CPU has.  Tests pass
 * the descriptions of other CPUs to the same functions.
 */
#ifndef LYRA2_CPU_H
#define LYRA2_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/*
 * The features of a CPU that the choice depends on, and the CPU's kind if
 * kernels.def names it.
 */
enum {
	CPU_READ = 1 << 0,	/* always set */
	CPU_SSE2 = 1 << 1,
	CPU_AVX2 = 1 << 2,
	CPU_AVX512VL = 1 << 3,
	CPU_ZEN5 = 1 << 4,
};

/*
 * The resolver runs before the library is relocated and before sanitizers are
 * ready.  So the resolver and the functions that it calls use no libc, no table
 * and no sanitizer.
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
/* Bits of XCR0: the registers that the operating system saves */
enum { SAVES_AVX = 0x6, SAVES_AVX512 = 0xe6 };

/* Returns the kind of a CPU, or 0, by leaf 0's vendor and leaf 1's version. */
EARLY unsigned cpu_kind(unsigned vendor, unsigned version)
{
	/* The family has an extended part, which may be 0. */
	const unsigned family = (version >> 8 & 15) + (version >> 20 & 255);

	return vendor == signature_AMD_ebx && family == 0x1a ? CPU_ZEN5 : 0;
}

/* Whether leaf 7 and XCR0 can be read, by leaf 0's highest and leaf 1's ECX. */
EARLY bool cpu_tells(unsigned max, unsigned c)
{
	return max >= 7 && c & bit_OSXSAVE;
}

/* Returns the features in leaf 7's EBX whose registers are saved. */
EARLY unsigned cpu_wide(unsigned saves, unsigned b)
{
	const unsigned vl = bit_AVX512F | bit_AVX512VL;
	unsigned cpu = 0;

	if ((saves & SAVES_AVX) == SAVES_AVX && b & bit_AVX2)
		cpu |= CPU_AVX2;
	if ((saves & SAVES_AVX512) == SAVES_AVX512 && (b & vl) == vl)
		cpu |= CPU_AVX512VL;
	return cpu;
}

/*
 * Uses macros of <cpuid.h>, because its functions are not as careful as EARLY.
 * With __builtin_cpu_supports(), libgcc would read CPUID at each program start,
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
	if (!cpu_tells(max, c))
		return cpu;
	__asm__ __volatile__("xgetbv" : "=a"(saves), "=d"(d) : "c"(0));
	__cpuid_count(7, 0, a, b, c, d);
	return cpu | cpu_wide(saves, b);
}
#else
EARLY unsigned cpu_read(void)
{
	return CPU_READ;
}
#endif

#endif
