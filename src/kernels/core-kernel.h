/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of a kernel: how its functions are declared. */
#ifndef LYRA2_CORE_KERNEL_H
#define LYRA2_CORE_KERNEL_H

#include "core.h"
#include "kernels.def"

/*
 * Every function of a kernel is inlined: a call would spill the rows that are
 * in registers.  CORE_TARGET, which each kernel defines, is its target.
 * Sanitizers take minutes to compile fully inlined code, so their builds
 * define LYRA2_CALLS.  Without optimization, each copy would have variables of
 * its own: 2.6 MB of stack, which is not wiped.
 */
#if defined(LYRA2_CALLS) || !defined(__OPTIMIZE__)
#define CORE static __attribute__((unused)) CORE_TARGET
#else
#define CORE static inline __attribute__((always_inline, unused)) CORE_TARGET
#endif

/* For code that runs once or twice per hash, and loops that two share */
#define CORE_ONCE static __attribute__((noinline)) CORE_TARGET

/*
 * Any hash, as core-entry.h's loops for what strings do not say compute it:
 * short, not fast.  libcrypt has only strings.
 */
#define CORE_ANY(job) { \
	KERNELS_RAW ? (job)->params.sponge : LYRA2_BLAMKA, \
	KERNELS_RAW ? (job)->variant.rotation : 128, \
	KERNELS_RAW ? (job)->variant.block_words : 12, \
	KERNELS_RAW ? (job)->variant.rho : 1, \
	(job)->params.lanes, 1, 0, true }
/* Version 2.5 */
#define CORE_IS_25(p) (KERNELS_RAW && (p)->version == 25)

/*
 * The sponges of n lanes, 1, 2 or 4, advance instruction by instruction: one
 * computes while the result of another is not ready.  The indices are
 * constants, because only then does an array live in registers.  A kernel of
 * fewer lanes has no statements for the others: the compiler would remove them,
 * but that takes time.
 */
#if defined(CORE_LANES) && CORE_LANES == 1
#define EACH(n, statement) do { \
	enum { i = 0 }; (void)(n); statement; \
} while (0)
#elif defined(LYRA2_CALLS) || !defined(__OPTIMIZE__)
#define EACH(n, statement) do { \
	for (int i = 0; i < (n); i++) { statement; } \
} while (0)
#else
#define EACH(n, statement) do { \
	{ enum { i = 0 }; statement; } \
	if ((n) > 1) { enum { i = 1 }; statement; } \
	if ((n) > 2) { enum { i = 2 }; statement; } \
	if ((n) > 2) { enum { i = 3 }; statement; } \
} while (0)
#endif

/*
 * How far ahead cache lines are fetched, in offsets of 16 per column: a line
 * from memory takes as long as five columns, and leaves the nearest cache again
 * if it comes much earlier.
 */
enum { CORE_AHEAD = 5 * 16 };

/*
 * Whether the rows of a block should have addresses of their own, not one
 * address for all: x86-64 adds, and multiplies by four, in each load.
 */
#ifdef __x86_64__
enum { CORE_APART = 1 };
#else
enum { CORE_APART = 0 };
#endif

#endif
