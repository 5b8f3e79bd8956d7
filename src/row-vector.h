/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words in two of the compiler's generic vectors.  They
 * have 16 bytes, as in NEON, VSX and similar units: gcc makes poor code from
 * longer ones.
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

/* ---- for Bash only ---- */

CORE row row_and(row a, row b)
{
	return (row){ a.lo & b.lo, a.hi & b.hi };
}

CORE row row_or(row a, row b)
{
	return (row){ a.lo | b.lo, a.hi | b.hi };
}

/* b where a is not */
CORE row row_andn(row a, row b)
{
	return (row){ ~a.lo & b.lo, ~a.hi & b.hi };
}

CORE row_half row_half_rol(row_half a, uint64_t x, uint64_t y)
{
	row_half left = { x, y }, right = { 64 - x, 64 - y };

	return a << left | a >> right;
}

/* Each word is rotated to the left by its own count, 1...63. */
CORE row row_rol4(row a, int x, int y, int z, int w)
{
	return (row){ row_half_rol(a.lo, (uint64_t)x, (uint64_t)y),
		      row_half_rol(a.hi, (uint64_t)z, (uint64_t)w) };
}

/* Words 0 and 1 change places, and words 2 and 3. */
CORE row row_swap(row a)
{
	return (row){ row_pair(a.lo, a.lo), row_pair(a.hi, a.hi) };
}

CORE row row_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return (row){ { x, y }, { z, w } };
}

#include "row-logic.h"

#include "row-whole.h"
