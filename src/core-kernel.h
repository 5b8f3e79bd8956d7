/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of a kernel: how its functions are declared. */
#ifndef LYRA2_CORE_KERNEL_H
#define LYRA2_CORE_KERNEL_H

#include "core.h"

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
 * Which hashes get specialised loops, if the other parameters are as in
 * strings (rotation 128, 12 words, rho 1): a set of sponges, and any number of
 * lanes or only one and those that advance CORE_LANES at once.  A general loop
 * computes all others.  A build for size defines LYRA2_SMALL.
 */
#ifdef LYRA2_SMALL
#define CORE_OWN_SPONGES (1 << LYRA2_BLAMKA)
enum { CORE_ALL_AT_ONCE = 1 };
#define CORE_ANY(p) { \
	(p)->sponge == LYRA2_BLAKE2B ? LYRA2_BLAKE2B : LYRA2_BLAMKA, \
	128, 12, 1, (p)->lanes, 1, true }
#else
#define CORE_ANY(p) { \
	(p)->sponge, (p)->rotation, (p)->block_words, (p)->rho, (p)->lanes, 1, \
	false }
#define CORE_OWN_SPONGES \
	(1 << LYRA2_BLAKE2B | 1 << LYRA2_BLAMKA | 1 << LYRA2_HALF_BLAMKA)
enum { CORE_ALL_AT_ONCE = 0 };
#endif

/*
 * The sponges of n lanes, 1, 2 or 4, advance instruction by instruction: one
 * computes while the result of another is not ready.  The indices are
 * constants, because only then does an array live in registers.  A kernel of
 * fewer lanes has no statements for the others: the compiler would remove them,
 * but that takes time.
 */
#if defined(CORE_LANES) && CORE_LANES == 1
#define EACH(n, statement) do { \
	enum { i = 0 }; statement; \
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
 * from memory takes as long as five columns of one lane.
 */
enum { CORE_AHEAD = 8 * 16 };

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
