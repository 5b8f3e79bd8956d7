/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations for Bash-f that row-sse2.h lacks */
CORE row row_and(row a, row b)
{
	return (row){ _mm_and_si128(a.lo, b.lo), _mm_and_si128(a.hi, b.hi) };
}

CORE row row_or(row a, row b)
{
	return (row){ _mm_or_si128(a.lo, b.lo), _mm_or_si128(a.hi, b.hi) };
}

/* ~a & b */
CORE row row_andn(row a, row b)
{
	return (row){ _mm_andnot_si128(a.lo, b.lo),
		      _mm_andnot_si128(a.hi, b.hi) };
}

/* The lower word of a, then the upper word of b */
CORE row_half row_blend(row_half a, row_half b)
{
	return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a),
					       _mm_castsi128_pd(b), 2));
}

CORE row_half row_half_rol(row_half a, int x, int y)
{
	return _mm_or_si128(row_blend(_mm_slli_epi64(a, x),
				      _mm_slli_epi64(a, y)),
			    row_blend(_mm_srli_epi64(a, 64 - x),
				      _mm_srli_epi64(a, 64 - y)));
}

/* Each word is rotated to the left by its own count, 1...63. */
CORE row row_rol4(row a, int x, int y, int z, int w)
{
	return (row){ row_half_rol(a.lo, x, y), row_half_rol(a.hi, z, w) };
}

/* Words 0 and 1 change places, and so do words 2 and 3. */
CORE row row_swap(row a)
{
	return (row){ _mm_shuffle_epi32(a.lo, 0x4e),
		      _mm_shuffle_epi32(a.hi, 0x4e) };
}

CORE row row_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return (row){ _mm_set_epi64x((long long)y, (long long)x),
		      _mm_set_epi64x((long long)w, (long long)z) };
}

#include "bash-row-logic.h"
