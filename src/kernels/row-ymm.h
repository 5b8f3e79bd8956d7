/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words in one AVX2 register, in the order 0 2 1 3.  Words
 * 0 and 2, which choose columns, are then in the half that can be read
 * directly.  A join takes one cycle instead of three.  The matrix has the same
 * order; row_get() and row_put() convert it.
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
 * Keeps a compiler from regrouping the sum a, which can put one more addition
 * behind the operand that is ready last.
 */
CORE row row_fix(row a)
{
	__asm__("" : "+x"(a));
	return a;
}

/*
 * A multiplication by 2 * a takes only bits 0 to 31 of it.  Returns 32 in the
 * words where bit 32 is lost, and 64 or more in others.  b, shifted to the left
 * by that, is the part of the product that is missing.
 */
CORE row row_lost(row a);

/*
 * a + b + 2 * low half of a * low half of b.  b is ready last.  The sponge of a
 * single lane waits for b, so there only one addition follows the product.
 */
CORE row row_mix(row a, row b, int lanes)
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

/*
 * 1: a row of the matrix holds words 0 to 7 of all columns, then words 8 to 11.
 * So a column's offset needs no multiplication, only scaling.
 */
enum { ROW_SPLIT = 1 };

/* The places of words 1 and 3 in a row; how many lanes can look ahead */
enum { ROW_WORD1 = 2, ROW_WORD3 = 3 };
#ifdef __x86_64__
enum { ROW_AHEAD = 2 };
#else
enum { ROW_AHEAD = 0 };
#endif
