/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the matrix lies in memory for a kernel that is bound by the number of
 * its instructions: block after block, which takes fewer registers than split
 * rows do (row-split.h).  Included by row-*.h.
 */
enum { ROW_SPLIT = 0, ROW_APART = CORE_APART };

/* The offsets, 16 a column, of the columns that words 0 and 2 of b choose. */
CORE void row_choose(row b, row t, uint64_t mask, size_t *col0, size_t *col1)
{
	(void)t;
	*col0 = 16 * (size_t)(row_word0(b) & mask);
	*col1 = 16 * (size_t)(row_word2(b) & mask);
}
