/* SPDX-License-Identifier: BSD-2-Clause */
/* How the sponges of several lanes advance at once, and fetch ahead. */

/*
 * Rows, which the sponge works on, hold the row of one lane, or those of two
 * if the kernel has included row-zmm.h.  A function named rows_..._low gives
 * the lower half of each word of what its namesake gives, for rows_mix().
 */
#ifndef ROWS
#define ROWS 1
typedef row rows;
#define rows_of(x, y) (x)
#define rows_lane(x, lane) (x)
#define rows_store row_store
#define rows_fix row_fix
#define rows_xor row_xor
#define rows_add row_add
#define rows_mix(x, y, low, n) row_mix(x, y, n)
#define rows_ror32 row_ror32
#define rows_ror24 row_ror24
#define rows_ror16 row_ror16
#define rows_ror63 row_ror63
#define rows_left1 row_left1
#define rows_left2 row_left2
#define rows_left3 row_left3
#define rows_mix_late row_mix
#define rows_ror32_low(x) (x)
#define rows_ror24_low(x) (x)
#define rows_ror16_low(x) (x)
#define rows_ror63_low(x) (x)

/* Words 0 and 2 of each lane */
CORE void rows_words(uint64_t w[2], row x)
{
	w[0] = row_word0(x);
	w[1] = row_word2(x);
}
#endif

/*
 * n lanes have GROUPS() registers for each row.  Register i has lane ROWS * i
 * and the other, which is the same if it is alone.
 */
#define GROUPS(n) (((n) + ROWS - 1) / ROWS)
#define OTHER(i, n) ((n) > 1 ? ROWS * (i) + ROWS - 1 : 0)

/*
 * The sponges of n lanes advance instruction by instruction: one computes while
 * the result of another is not ready.  The indices are constants, because only
 * then does an array live in registers.  A kernel of fewer lanes has no
 * statements for the others: the compiler would remove them, but that takes
 * time.
 */
#if CORE_LANES == 1
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
