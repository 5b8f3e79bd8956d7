/* SPDX-License-Identifier: BSD-2-Clause */
/* A vector of vec-ymm.h.  In AVX-512VL a rotation is one instruction. */
#include "vec-ymm.h"

/* Only BlaMka's product is faster in a general register. */
enum { VEC_AHEAD_BLAKE2B = 0 };

CORE vec vec_lost(vec a)
{
	const vec bit = _mm256_set1_epi64x(0x80000000);
	const vec shift = _mm256_set1_epi64x(32);

	return _mm256_ternarylogic_epi64(a, bit, shift, 0xae);
}

CORE vec vec_ror32(vec a)
{
	return _mm256_ror_epi64(a, 32);
}

CORE vec vec_ror24(vec a)
{
	return _mm256_ror_epi64(a, 24);
}

CORE vec vec_ror16(vec a)
{
	return _mm256_ror_epi64(a, 16);
}

CORE vec vec_ror63(vec a)
{
	return _mm256_ror_epi64(a, 63);
}
