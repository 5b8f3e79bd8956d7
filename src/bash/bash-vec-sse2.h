/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations for Bash-f that vec-sse2.h lacks */
CORE vec vec_and(vec a, vec b)
{
	return (vec){ _mm_and_si128(a.lo, b.lo), _mm_and_si128(a.hi, b.hi) };
}

CORE vec vec_or(vec a, vec b)
{
	return (vec){ _mm_or_si128(a.lo, b.lo), _mm_or_si128(a.hi, b.hi) };
}

/* ~a & b */
CORE vec vec_andn(vec a, vec b)
{
	return (vec){ _mm_andnot_si128(a.lo, b.lo),
		      _mm_andnot_si128(a.hi, b.hi) };
}

/* The lower word of a, then the upper word of b */
CORE vec_half vec_blend(vec_half a, vec_half b)
{
	return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a),
					       _mm_castsi128_pd(b), 2));
}

CORE vec_half vec_half_rol(vec_half a, int x, int y)
{
	return _mm_or_si128(vec_blend(_mm_slli_epi64(a, x),
				      _mm_slli_epi64(a, y)),
			    vec_blend(_mm_srli_epi64(a, 64 - x),
				      _mm_srli_epi64(a, 64 - y)));
}

/* Each word is rotated to the left by its own count, 1...63. */
CORE vec vec_rol4(vec a, int x, int y, int z, int w)
{
	return (vec){ vec_half_rol(a.lo, x, y), vec_half_rol(a.hi, z, w) };
}

/* Words 0 and 1 change places, and so do words 2 and 3. */
CORE vec vec_swap(vec a)
{
	return (vec){ _mm_shuffle_epi32(a.lo, 0x4e),
		      _mm_shuffle_epi32(a.hi, 0x4e) };
}

CORE vec vec_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return (vec){ _mm_set_epi64x((long long)y, (long long)x),
		      _mm_set_epi64x((long long)w, (long long)z) };
}

#include "bash-vec-logic.h"
