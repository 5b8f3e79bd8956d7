/* SPDX-License-Identifier: BSD-2-Clause */
/* A row in one AVX2 register, which rotates by shuffles and shifts. */
#include "row-ymm.h"

CORE row row_lost(row a)
{
	const row bit = _mm256_set1_epi64x(0x80000000);
	const row shift = _mm256_set1_epi64x(32);

	return _mm256_or_si256(_mm256_andnot_si256(a, bit), shift);
}

/* Without row_fix(), clang rotates both operands of the xor that makes a. */
CORE row row_ror32(row a)
{
	return _mm256_shuffle_epi32(row_fix(a), 0xb1);
}

/* Moves whole bytes: a shuffle takes one cycle, two shifts take two. */
CORE row row_ror24(row a)
{
	return _mm256_shuffle_epi8(a, _mm256_setr_epi8(
		3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10,
		3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10));
}

CORE row row_ror16(row a)
{
	return _mm256_shuffle_epi8(a, _mm256_setr_epi8(
		2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9,
		2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9));
}

CORE row row_ror63(row a)
{
	return _mm256_xor_si256(_mm256_srli_epi64(a, 63),
				_mm256_add_epi64(a, a));
}
