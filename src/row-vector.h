/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words in two of the compiler's generic vectors.  They
 * are of 16 bytes, as NEON, VSX and their like have them: of longer ones gcc
 * makes poor code.
 */
#include <stdint.h>
#include <string.h>

typedef uint64_t row_half __attribute__((vector_size(16)));

CORE row_half row_pair(row_half a, row_half b)
{
	return (row_half){ a[1], b[0] };
}

#include "row-halves.h"

CORE row row_load(const uint64_t *p)
{
	row a;

	memcpy(&a.lo, p, sizeof(a.lo));
	memcpy(&a.hi, p + 2, sizeof(a.hi));
	return a;
}

CORE void row_store(uint64_t *p, row a)
{
	memcpy(p, &a.lo, sizeof(a.lo));
	memcpy(p + 2, &a.hi, sizeof(a.hi));
}

/* Words in their order; the matrix may have another. */
CORE row row_get(const uint64_t *p)
{
	return row_load(p);
}

CORE void row_put(uint64_t *p, row a)
{
	row_store(p, a);
}

CORE row row_add(row a, row b)
{
	return (row){ a.lo + b.lo, a.hi + b.hi };
}

CORE row row_xor(row a, row b)
{
	return (row){ a.lo ^ b.lo, a.hi ^ b.hi };
}

/* a + b + 2 * low half of a * low half of b */
CORE row row_blamka(row a, row b, int lanes)
{
	row m = { (a.lo & UINT32_MAX) * (b.lo & UINT32_MAX),
		  (a.hi & UINT32_MAX) * (b.hi & UINT32_MAX) };

	(void)lanes;
	return row_add(row_add(a, b), row_add(m, m));
}

CORE row row_ror32(row a)
{
	return (row){ a.lo >> 32 | a.lo << 32, a.hi >> 32 | a.hi << 32 };
}

CORE row row_ror24(row a)
{
	return (row){ a.lo >> 24 | a.lo << 40, a.hi >> 24 | a.hi << 40 };
}

CORE row row_ror16(row a)
{
	return (row){ a.lo >> 16 | a.lo << 48, a.hi >> 16 | a.hi << 48 };
}

CORE row row_ror63(row a)
{
	return (row){ a.lo >> 63 | (a.lo + a.lo), a.hi >> 63 | (a.hi + a.hi) };
}

CORE uint64_t row_word0(row a)
{
	return a.lo[0];
}

CORE uint64_t row_word2(row a)
{
	return a.hi[0];
}

CORE void row_xor_to(uint64_t *p, row a)
{
	row_store(p, row_xor(row_load(p), a));
}

CORE row row_fix(row a)
{
	return a;
}
