/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations for Bash-f that vec-avx2.h lacks */
#ifdef VEC_VPROR
/* Each word is rotated to the left by its own count, 1...63. */
CORE vec vec_rol4(vec a, int x, int y, int z, int w)
{
	return _mm256_rolv_epi64(a, _mm256_setr_epi64x(x, z, y, w));
}

CORE vec vec_xor3(vec a, vec b, vec c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0x96);
}

/* a ^ (b & c) */
CORE vec vec_xor_and(vec a, vec b, vec c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0x78);
}

/* a ^ (b | c) */
CORE vec vec_xor_or(vec a, vec b, vec c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0x1e);
}

/* a ^ (~b & c) */
CORE vec vec_xor_andn(vec a, vec b, vec c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0xd2);
}
#else
/* A rotation by n bits: byte j of the result is byte j - n / 8 of the word. */
CORE long long vec_rol_bytes(int n, uint64_t first)
{
	const uint64_t same = UINT64_C(0x0706050403020100);

	return (long long)((n ? same << n | same >> (64 - n) : same) +
			   first * UINT64_C(0x0101010101010101));
}

/*
 * Each word is rotated to the left by its own count, 1...63.  Where all counts
 * are whole bytes, one shuffle does it.
 */
CORE vec vec_rol4(vec a, int x, int y, int z, int w)
{
	if (((x | y | z | w) & 7) == 0)
		return _mm256_shuffle_epi8(a, _mm256_setr_epi64x(
			vec_rol_bytes(x, 0), vec_rol_bytes(z, 8),
			vec_rol_bytes(y, 0), vec_rol_bytes(w, 8)));
	return _mm256_or_si256(
		_mm256_sllv_epi64(a, _mm256_setr_epi64x(x, z, y, w)),
		_mm256_srlv_epi64(a, _mm256_setr_epi64x(64 - x, 64 - z,
							64 - y, 64 - w)));
}

CORE vec vec_and(vec a, vec b)
{
	return _mm256_and_si256(a, b);
}

CORE vec vec_or(vec a, vec b)
{
	return _mm256_or_si256(a, b);
}

/* ~a & b */
CORE vec vec_andn(vec a, vec b)
{
	return _mm256_andnot_si256(a, b);
}

#include "bash-vec-logic.h"
#endif

/* Words 0 and 1 change places, and so do words 2 and 3. */
CORE vec vec_swap(vec a)
{
	return _mm256_permute2x128_si256(a, a, 1);
}

CORE vec vec_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return _mm256_setr_epi64x((long long)x, (long long)z, (long long)y,
				  (long long)w);
}
