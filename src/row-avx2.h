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

#ifdef ROW_VPROR
/*
 * row_blamka() one cycle sooner after b, which is known last: 2 * a can be
 * ready by then, and the bit that its low half lacks is made good.  With the
 * added instructions one lane takes 5 % less time, four take 10 % more
 * (Cascade Lake).
 */
CORE row row_blamka_chain(row a, row b)
{
	const __mmask8 lost = _mm256_test_epi64_mask(a,
					_mm256_set1_epi64x(0x80000000));
	const row sum = row_add(row_add(a, b),
				_mm256_maskz_slli_epi64(lost, b, 32));

	return row_add(row_fix(sum), _mm256_mul_epu32(row_add(a, a), b));
}
#endif

/* a + b + 2 * low half of a * low half of b */
CORE row row_blamka(row a, row b, int lanes)
{
	const row m = _mm256_mul_epu32(a, b);

	(void)lanes;
#ifdef ROW_VPROR
	if (lanes == 1)
		return row_blamka_chain(a, b);
#endif
	return row_add(row_add(a, b), row_add(m, m));
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
CORE row row_ror32(row a)
{
	return _mm256_shuffle_epi32(a, 0xb1);
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
