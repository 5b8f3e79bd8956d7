/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of row-ymm.h, where AVX-512VL makes each rotation one instruction. */
#include "row-ymm.h"

#define ROW_VPROR

CORE row row_lost(row a)
{
	const row bit = _mm256_set1_epi64x(0x80000000);
	const row shift = _mm256_set1_epi64x(32);

	return _mm256_ternarylogic_epi64(a, bit, shift, 0xae);
}

CORE row row_ror32(row a)
{
	return _mm256_ror_epi64(a, 32);
}

CORE row row_ror24(row a)
{
	return _mm256_ror_epi64(a, 24);
}

CORE row row_ror16(row a)
{
	return _mm256_ror_epi64(a, 16);
}

CORE row row_ror63(row a)
{
	return _mm256_ror_epi64(a, 63);
}
