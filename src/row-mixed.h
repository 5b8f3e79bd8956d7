/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row of four 64-bit words, two of them in general registers and two in a
 * vector register.  Words 0 and 2, which choose the columns, are the scalar
 * ones.  The chain from one choice to the next then passes through scalar
 * multiplications, which take three cycles where those of vectors take five,
 * and a choice need not be moved to become an address.
 * The matrix has the words in the order 0 2 1 3; row_get() and row_put()
 * change it.
 */
#include <immintrin.h>
#include <stdint.h>

typedef struct {
	uint64_t x, z;	/* words 0 and 2 */
	__m128i odd;	/* words 1 and 3 */
} row;

CORE __m128i row_pair(uint64_t low, uint64_t high)
{
	return _mm_set_epi64x((long long)high, (long long)low);
}

CORE uint64_t row_low(__m128i a)
{
	return (uint64_t)_mm_cvtsi128_si64(a);
}

CORE uint64_t row_high(__m128i a)
{
	return (uint64_t)_mm_extract_epi64(a, 1);
}

CORE row row_load(const uint64_t *p)
{
	return (row){ p[0], p[1],
		      _mm_loadu_si128((const __m128i *)(const void *)(p + 2)) };
}

CORE void row_store(uint64_t *p, row a)
{
	p[0] = a.x;
	p[1] = a.z;
	_mm_storeu_si128((__m128i *)(void *)(p + 2), a.odd);
}

CORE row row_get(const uint64_t *p)
{
	return (row){ p[0], p[2], row_pair(p[1], p[3]) };
}

CORE void row_put(uint64_t *p, row a)
{
	p[0] = a.x;
	p[1] = row_low(a.odd);
	p[2] = a.z;
	p[3] = row_high(a.odd);
}

CORE row row_add(row a, row b)
{
	return (row){ a.x + b.x, a.z + b.z, _mm_add_epi64(a.odd, b.odd) };
}

CORE row row_xor(row a, row b)
{
	return (row){ a.x ^ b.x, a.z ^ b.z, _mm_xor_si128(a.odd, b.odd) };
}

/* Keeps sums in the order in which their operands come to be known. */
CORE row row_fix(row a)
{
	__asm__("" : "+r"(a.x), "+r"(a.z), "+x"(a.odd));
	return a;
}

/* Keeps gcc 12 from extending a word in a vector register, there and back. */
CORE uint64_t row_low_half(uint64_t x)
{
	x = (uint32_t)x;
	__asm__("" : "+r"(x));
	return x;
}

/*
 * x + y + 2 * low half of x * low half of y: y is ready last, and only one
 * addition follows the product.
 */
CORE uint64_t row_blamka_word(uint64_t x, uint64_t y)
{
	uint64_t twice = 2 * row_low_half(x), sum = x + y;

	__asm__("" : "+r"(twice), "+r"(sum));
	return sum + twice * row_low_half(y);
}

CORE row row_blamka(row a, row b, int lanes)
{
	const __m128i m = _mm_mul_epu32(a.odd, b.odd);

	(void)lanes;
	return (row){ row_blamka_word(a.x, b.x), row_blamka_word(a.z, b.z),
		      _mm_add_epi64(_mm_add_epi64(a.odd, b.odd),
				    _mm_add_epi64(m, m)) };
}

CORE uint64_t row_ror_word(uint64_t x, int n)
{
	return x >> n | x << (64 - n);
}

/* Whole bytes move: the shuffle takes one cycle where two shifts take two. */
#define ROW_ROR32(a) _mm_shuffle_epi32(a, 0xb1)
#define ROW_ROR24(a) _mm_shuffle_epi8(a, _mm_setr_epi8( \
	3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10))
#define ROW_ROR16(a) _mm_shuffle_epi8(a, _mm_setr_epi8( \
	2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9))
#define ROW_ROR63(a) \
	_mm_xor_si128(_mm_srli_epi64(a, 63), _mm_add_epi64(a, a))
#define ROW_ROR59(a) \
	_mm_xor_si128(_mm_srli_epi64(a, 59), _mm_slli_epi64(a, 5))

#define ROW_ROR(n) \
CORE row row_ror##n(row a) \
{ \
	return (row){ row_ror_word(a.x, n), row_ror_word(a.z, n), \
		      ROW_ROR##n(a.odd) }; \
}
ROW_ROR(32)
ROW_ROR(24)
ROW_ROR(16)
ROW_ROR(63)
ROW_ROR(59)
#undef ROW_ROR

CORE row row_mask(row a, uint64_t m)
{
	return (row){ a.x & m, a.z & m, a.odd };	/* odd: not needed */
}

CORE row row_left1(row a)
{
	return (row){ row_low(a.odd), row_high(a.odd), row_pair(a.z, a.x) };
}

CORE row row_left2(row a)
{
	return (row){ a.z, a.x, _mm_shuffle_epi32(a.odd, 0x4e) };
}

CORE row row_left3(row a)
{
	return (row){ row_high(a.odd), row_low(a.odd), row_pair(a.x, a.z) };
}

/* The upper half of a, then the lower half of b. */
CORE row row_join(row a, row b)
{
	return (row){ a.z, b.x, _mm_castpd_si128(_mm_shuffle_pd(
		_mm_castsi128_pd(a.odd), _mm_castsi128_pd(b.odd), 1)) };
}

CORE uint64_t row_word0(row a)
{
	return a.x;
}

CORE uint64_t row_word2(row a)
{
	return a.z;
}

CORE void row_xor_to(uint64_t *p, row a)
{
	row_store(p, row_xor(row_load(p), a));
}

enum { ROW_APART = 0 };	/* no register is free for it */
#include "row-split.h"

#undef ROW_ROR32
#undef ROW_ROR24
#undef ROW_ROR16
#undef ROW_ROR63
#undef ROW_ROR59
