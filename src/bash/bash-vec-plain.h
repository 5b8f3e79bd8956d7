/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations for Bash-f that vec-plain.h lacks */
CORE vec vec_and(vec a, vec b)
{
#define AND(i) a.i & b.i
	return VEC_EACH(AND);
#undef AND
}

CORE vec vec_or(vec a, vec b)
{
#define OR(i) a.i | b.i
	return VEC_EACH(OR);
#undef OR
}

/* ~a & b */
CORE vec vec_andn(vec a, vec b)
{
#define ANDN(i) ~a.i & b.i
	return VEC_EACH(ANDN);
#undef ANDN
}

/* Each word is rotated to the left by its own count, 1...63. */
CORE vec vec_rol4(vec a, int x, int y, int z, int w)
{
#define ROL(i) a.i << i | a.i >> (64 - i)
	return VEC_EACH(ROL);
#undef ROL
}

/* Words 0 and 1 change places, and so do words 2 and 3. */
CORE vec vec_swap(vec a)
{
	return (vec){ a.y, a.x, a.w, a.z };
}

CORE vec vec_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return (vec){ x, y, z, w };
}

#include "bash-vec-logic.h"
