/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations for Bash-f that row-plain.h lacks */
CORE row row_and(row a, row b)
{
#define AND(i) a.i & b.i
	return ROW_EACH(AND);
#undef AND
}

CORE row row_or(row a, row b)
{
#define OR(i) a.i | b.i
	return ROW_EACH(OR);
#undef OR
}

/* ~a & b */
CORE row row_andn(row a, row b)
{
#define ANDN(i) ~a.i & b.i
	return ROW_EACH(ANDN);
#undef ANDN
}

/* Each word is rotated to the left by its own count, 1...63. */
CORE row row_rol4(row a, int x, int y, int z, int w)
{
#define ROL(i) a.i << i | a.i >> (64 - i)
	return ROW_EACH(ROL);
#undef ROL
}

/* Words 0 and 1 change places, and so do words 2 and 3. */
CORE row row_swap(row a)
{
	return (row){ a.y, a.x, a.w, a.z };
}

CORE row row_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return (row){ x, y, z, w };
}

#include "bash-row-logic.h"
