/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the matrix lies in memory for a kernel with a short chain: words 0 to 7
 * of all columns of a row, then the others, so that the offset of a column
 * becomes an address without a multiplication.  Included by row-*.h, which
 * defines row_ror59(), row_mask() and ROW_APART.
 */
enum { ROW_SPLIT = 1 };

/*
 * The offsets, 16 a column, of the columns that words 0 and 2 choose.  t is
 * their row before its last rotation, by 63: a rotation by 59 multiplies by 16
 * as well.
 */
CORE void row_choose(row b, row t, uint64_t mask, size_t *col0, size_t *col1)
{
	const row offset = row_mask(row_ror59(t), 16 * mask);

	(void)b;
	*col0 = (size_t)row_word0(offset);
	*col1 = (size_t)row_word2(offset);
}
