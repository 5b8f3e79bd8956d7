/* SPDX-License-Identifier: BSD-2-Clause */
/* How the sponges of several lanes advance together, and fetch ahead. */

/*
 * The sponge works on values of the type rows.  Each holds the row of one lane,
 * or the rows of two lanes if the kernel has included row-zmm.h.
 * rows_rorN_low() returns the lower half of each word of rows_rorN(), which
 * only rows_mix() of row-zmm.h uses.
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
 * n lanes take GROUPS(n) registers for each row.  Register i holds lane ROWS *
 * i and lane OTHER(i, n).  Both are the same lane if the register holds one.
 */
#define GROUPS(n) (((n) + ROWS - 1) / ROWS)
#define OTHER(i, n) ((n) > 1 ? ROWS * (i) + ROWS - 1 : 0)

/*
 * The sponges of n lanes advance instruction by instruction: one computes while
 * the result of another is not ready.  The indices are constants, because only
 * then does an array live in registers.  A kernel with fewer lanes has fewer
 * statements: the compiler would remove the others, but that takes time.
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
 * How far ahead cache lines are fetched, as an offset with 16 per column.  A
 * line takes as long to arrive from memory as five columns take to compute.  A
 * line that arrives much earlier leaves the nearest cache before its use.
 */
enum { CORE_AHEAD = 5 * 16 };

/*
 * 1 if each row of a block should have an address of its own, 0 if one address
 * should serve all.  A load on x86-64 also adds an offset, times four.
 */
#ifdef __x86_64__
enum { CORE_APART = 1 };
#else
enum { CORE_APART = 0 };
#endif
