/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words in one AVX2 register, in the order 0 2 1 3: the
 * words that choose columns, 0 and 2, are then both in the half that can be
 * read at once, and a join takes one cycle instead of three.  The matrix has
 * that order, too; row_get() and row_put() change it.  ROW_VPROR, which
 * AVX-512VL has, makes each rotation one instruction.
 */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i row;

CORE row row_load(const uint64_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

CORE void row_store(uint64_t *p, row a)
{
	_mm256_storeu_si256((__m256i *)(void *)p, a);
}

CORE row row_get(const uint64_t *p)
{
	return _mm256_permute4x64_epi64(row_load(p), 0xd8);
}

CORE void row_put(uint64_t *p, row a)
{
	row_store(p, _mm256_permute4x64_epi64(a, 0xd8));
}

CORE row row_add(row a, row b)
{
	return _mm256_add_epi64(a, b);
}

CORE row row_xor(row a, row b)
{
	return _mm256_xor_si256(a, b);
}

/*
 * Keeps a sum as it was written: a compiler that regroups it puts one more
 * addition behind the operand that comes last.
 */
CORE row row_fix(row a)
{
	__asm__("" : "+x"(a));
	return a;
}

/*
 * 32 where a product with 2 * a lacks bit 32 of that, else 64 or more, so that
 * a shift of b to the left by it is what must be added.
 */
CORE row row_lost(row a)
{
	const row bit = _mm256_set1_epi64x(0x80000000);
	const row shift = _mm256_set1_epi64x(32);

#ifdef ROW_VPROR
	return _mm256_ternarylogic_epi64(a, bit, shift, 0xae);
#else
	return _mm256_or_si256(_mm256_andnot_si256(a, bit), shift);
#endif
}

/*
 * a + b + 2 * low half of a * low half of b.  b is ready last, and the sponge
 * of a lane alone waits for it: then only one addition follows the product.
 */
CORE row row_blamka(row a, row b, int lanes)
{
	row sum = row_add(a, b), m;

	if (lanes > 1) {
		m = _mm256_mul_epu32(a, b);
		return row_add(sum, row_add(m, m));
	}
	sum = row_add(sum, _mm256_sllv_epi64(b, row_lost(a)));
	m = _mm256_mul_epu32(row_add(a, a), b);
	return row_add(row_fix(sum), m);
}

#ifdef ROW_VPROR
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
#else
/* row_fix(): clang would rotate both operands of what made a. */
CORE row row_ror32(row a)
{
	return _mm256_shuffle_epi32(row_fix(a), 0xb1);
}

/* Whole bytes move: the shuffle takes one cycle where two shifts take two. */
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
#endif

CORE row row_left1(row a)
{
	return _mm256_permute4x64_epi64(a, 0x1e);
}

CORE row row_left2(row a)
{
	return _mm256_shuffle_epi32(a, 0x4e);
}

CORE row row_left3(row a)
{
	return _mm256_permute4x64_epi64(a, 0x4b);
}

/* The upper half of a, then the lower half of b. */
CORE row row_join(row a, row b)
{
	return _mm256_castpd_si256(_mm256_shuffle_pd(
		_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), 0x5));
}

#ifdef __x86_64__
CORE uint64_t row_word0(row a)
{
	return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(a));
}

CORE uint64_t row_word2(row a)
{
	return (uint64_t)_mm_extract_epi64(_mm256_castsi256_si128(a), 1);
}
#else
CORE uint64_t row_word0(row a)
{
	uint64_t w[4];

	row_store(w, a);
	return w[0];
}

CORE uint64_t row_word2(row a)
{
	uint64_t w[4];

	row_store(w, a);
	return w[1];
}
#endif

CORE void row_xor_to(uint64_t *p, row a)
{
	row_store(p, row_xor(row_load(p), a));
}

/* ---- for Bash only ---- */

#ifdef ROW_VPROR
/* Each word is rotated to the left by its own count, 1...63. */
CORE row row_rol4(row a, int x, int y, int z, int w)
{
	return _mm256_rolv_epi64(a, _mm256_setr_epi64x(x, z, y, w));
}

CORE row row_xor3(row a, row b, row c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0x96);
}

/* a ^ (b & c) */
CORE row row_xor_and(row a, row b, row c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0x78);
}

/* a ^ (b | c) */
CORE row row_xor_or(row a, row b, row c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0x1e);
}

/* a ^ (~b & c) */
CORE row row_xor_andn(row a, row b, row c)
{
	return _mm256_ternarylogic_epi64(a, b, c, 0xd2);
}
#else
/* Byte j of a word rotated by n bits is its byte j - n / 8. */
CORE long long row_rol_bytes(int n, uint64_t first)
{
	const uint64_t same = UINT64_C(0x0706050403020100);

	return (long long)((n ? same << n | same >> (64 - n) : same) +
			   first * UINT64_C(0x0101010101010101));
}

/*
 * Each word is rotated to the left by its own count, 1...63.  Where all counts
 * are whole bytes, one shuffle does it.
 */
CORE row row_rol4(row a, int x, int y, int z, int w)
{
	if (((x | y | z | w) & 7) == 0)
		return _mm256_shuffle_epi8(a, _mm256_setr_epi64x(
			row_rol_bytes(x, 0), row_rol_bytes(z, 8),
			row_rol_bytes(y, 0), row_rol_bytes(w, 8)));
	return _mm256_or_si256(
		_mm256_sllv_epi64(a, _mm256_setr_epi64x(x, z, y, w)),
		_mm256_srlv_epi64(a, _mm256_setr_epi64x(64 - x, 64 - z,
							64 - y, 64 - w)));
}

CORE row row_and(row a, row b)
{
	return _mm256_and_si256(a, b);
}

CORE row row_or(row a, row b)
{
	return _mm256_or_si256(a, b);
}

/* b where a is not */
CORE row row_andn(row a, row b)
{
	return _mm256_andnot_si256(a, b);
}

#include "row-logic.h"
#endif

/* Words 0 and 1 change places, and words 2 and 3. */
CORE row row_swap(row a)
{
	return _mm256_permute2x128_si256(a, a, 1);
}

CORE row row_of(uint64_t x, uint64_t y, uint64_t z, uint64_t w)
{
	return _mm256_setr_epi64x((long long)x, (long long)z, (long long)y,
				  (long long)w);
}

/*
 * Words 0 to 7 of all columns of a row of the matrix, then the others, so that
 * the offset of a column becomes an address without a multiplication.
 */
enum { ROW_SPLIT = 1 };

/* For core-ahead.h: rows rotate in one cycle only if they have VPROR. */
enum { ROW_WORD1 = 2, ROW_WORD3 = 3 };
#ifdef __x86_64__
enum { ROW_AHEAD = 2 };
#else
enum { ROW_AHEAD = 0 };
#endif
#ifdef ROW_VPROR
#define ROW_LAGS(sponge) ((sponge) == LYRA2_BLAMKA)
#else
#define ROW_LAGS(sponge) ((sponge) != LYRA2_HALF_BLAMKA)
#endif
