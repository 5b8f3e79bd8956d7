/* SPDX-License-Identifier: BSD-2-Clause */
/* A vector in one AVX2 register, which rotates by shuffles and shifts. */
#include "vec-ymm.h"

CORE vec vec_lost(vec a)
{
	const vec bit = _mm256_set1_epi64x(0x80000000);
	const vec shift = _mm256_set1_epi64x(32);

	return _mm256_or_si256(_mm256_andnot_si256(a, bit), shift);
}

/* Without vec_fix(), clang rotates both operands of the xor that makes a. */
CORE vec vec_ror32(vec a)
{
	return _mm256_shuffle_epi32(vec_fix(a), 0xb1);
}

/* Moves whole bytes: a shuffle takes one cycle, two shifts take two. */
CORE vec vec_ror24(vec a)
{
	return _mm256_shuffle_epi8(a, _mm256_setr_epi8(
		3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10,
		3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10));
}

CORE vec vec_ror16(vec a)
{
	return _mm256_shuffle_epi8(a, _mm256_setr_epi8(
		2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9,
		2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9));
}

CORE vec vec_ror63(vec a)
{
	return _mm256_xor_si256(_mm256_srli_epi64(a, 63),
				_mm256_add_epi64(a, a));
}

enum { VEC_AHEAD_BLAKE2B = VEC_AHEAD };
