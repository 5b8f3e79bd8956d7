/* SPDX-License-Identifier: BSD-2-Clause */
/* How the sponges of several lanes advance at once, and fetch ahead. */

/*
 * The sponges of n lanes advance instruction by instruction: one computes while
 * the result of another is not ready.  The indices are constants, because only
 * then does an array live in registers.  A kernel of fewer lanes has no
 * statements for the others: the compiler would remove them, but that takes
 * time.
 */
#if defined(EACH)		/* by core-shape.h, for more lanes */
#elif CORE_LANES == 1
#define EACH(n, statement) do { \
	enum { i = 0 }; (void)(n); statement; \
} while (0)
#elif defined(LYRA2_CALLS) || !defined(__OPTIMIZE__)
#define EACH(n, statement) do { \
	for (int i = 0; i < (n); i++) { statement; } \
} while (0)
#elif CORE_LANES == 2
#define EACH(n, statement) do { \
	{ enum { i = 0 }; statement; } \
	if ((n) > 1) { enum { i = 1 }; statement; } \
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
