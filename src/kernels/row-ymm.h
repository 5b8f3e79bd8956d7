/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words in one AVX2 register, in the order 0 2 1 3: the
 * words that choose columns, 0 and 2, are then both in the half that can be
 * read at once, and a join takes one cycle instead of three.  The matrix has
 * that order, too; row_get() and row_put() change it.
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
CORE row row_lost(row a);

/*
 * a + b + 2 * low half of a * low half of b.  b is ready last, and the sponge
 * of a lane alone waits for it: then only one addition follows the product.
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
 * Words 0 to 7 of all columns of a row of the matrix, then the others, so that
 * the offset of a column becomes an address without a multiplication.
 */
enum { ROW_SPLIT = 1 };

/* Where these words lie, and how many lanes can look ahead */
enum { ROW_WORD1 = 2, ROW_WORD3 = 3 };
#ifdef __x86_64__
enum { ROW_AHEAD = 2 };
#else
enum { ROW_AHEAD = 0 };
#endif
