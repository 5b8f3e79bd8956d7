/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words in two registers: how words move from one to the
 * other.  The file that includes this defines row_half and row_pair(a, b), the
 * upper word of a, then the lower word of b.
 */
typedef struct {
	row_half lo, hi;
} row;

CORE row row_left1(row a)
{
	return (row){ row_pair(a.lo, a.hi), row_pair(a.hi, a.lo) };
}

CORE row row_left2(row a)
{
	return (row){ a.hi, a.lo };
}

CORE row row_left3(row a)
{
	return (row){ row_pair(a.hi, a.lo), row_pair(a.lo, a.hi) };
}

/* The upper half of a, then the lower half of b. */
CORE row row_join(row a, row b)
{
	return (row){ a.hi, b.lo };
}
