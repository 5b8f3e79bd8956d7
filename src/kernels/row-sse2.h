/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of four 64-bit words in two SSE2 registers. */
#include <emmintrin.h>
#include <stdint.h>

typedef __m128i row_half;

/* The upper word of a, then the lower word of b. */
CORE row_half row_pair(row_half a, row_half b)
{
	return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a),
					       _mm_castsi128_pd(b), 1));
}

typedef struct {
	row_half lo, hi;
} row;

CORE row row_left1(row a)
{
	return (row){ row_pair(a.lo, a.hi), row_pair(a.hi, a.lo) };
}

CORE row row_left2(row a)
{
	return (row){ a.hi, a.lo };
}

CORE row row_left3(row a)
{
	return (row){ row_pair(a.hi, a.lo), row_pair(a.lo, a.hi) };
}

/* The upper half of a, then the lower half of b. */
CORE row row_join(row a, row b)
{
	return (row){ a.hi, b.lo };
}

CORE row row_load(const uint64_t *p)
{
	return (row){ _mm_loadu_si128((const __m128i *)(const void *)p),
		      _mm_loadu_si128((const __m128i *)(const void *)(p + 2)) };
}

CORE void row_store(uint64_t *p, row a)
{
	_mm_storeu_si128((__m128i *)(void *)p, a.lo);
	_mm_storeu_si128((__m128i *)(void *)(p + 2), a.hi);
}

/* Loads words in their order; row_load() may have another, the matrix's. */
CORE row row_get(const uint64_t *p)
{
	return row_load(p);
}

CORE void row_put(uint64_t *p, row a)
{
	row_store(p, a);
}

CORE row row_add(row a, row b)
{
	return (row){ _mm_add_epi64(a.lo, b.lo), _mm_add_epi64(a.hi, b.hi) };
}

CORE row row_xor(row a, row b)
{
	return (row){ _mm_xor_si128(a.lo, b.lo), _mm_xor_si128(a.hi, b.hi) };
}

/* a + b + 2 * low half of a * low half of b */
CORE row row_mix(row a, row b, int lanes)
{
	row m = { _mm_mul_epu32(a.lo, b.lo), _mm_mul_epu32(a.hi, b.hi) };

	(void)lanes;
	/* Neither sum waits for the other. */
	return row_add(row_add(a, b), row_add(m, m));
}

CORE row row_ror32(row a)
{
	return (row){ _mm_shuffle_epi32(a.lo, 0xb1),
		      _mm_shuffle_epi32(a.hi, 0xb1) };
}

CORE row row_ror24(row a)
{
	return (row){ _mm_xor_si128(_mm_srli_epi64(a.lo, 24),
				    _mm_slli_epi64(a.lo, 40)),
		      _mm_xor_si128(_mm_srli_epi64(a.hi, 24),
				    _mm_slli_epi64(a.hi, 40)) };
}

CORE row row_ror16(row a)
{
	return (row){ _mm_xor_si128(_mm_srli_epi64(a.lo, 16),
				    _mm_slli_epi64(a.lo, 48)),
		      _mm_xor_si128(_mm_srli_epi64(a.hi, 16),
				    _mm_slli_epi64(a.hi, 48)) };
}

CORE row row_ror63(row a)
{
	return (row){ _mm_xor_si128(_mm_srli_epi64(a.lo, 63),
				    _mm_add_epi64(a.lo, a.lo)),
		      _mm_xor_si128(_mm_srli_epi64(a.hi, 63),
				    _mm_add_epi64(a.hi, a.hi)) };
}

CORE uint64_t row_low(row_half a)
{
#ifdef __x86_64__
	return (uint64_t)_mm_cvtsi128_si64(a);
#else
	uint64_t w;

	_mm_storel_epi64((__m128i *)(void *)&w, a);
	return w;
#endif
}

CORE uint64_t row_word0(row a)
{
	return row_low(a.lo);
}

CORE uint64_t row_word2(row a)
{
	return row_low(a.hi);
}

CORE void row_xor_to(uint64_t *p, row a)
{
	row_store(p, row_xor(row_load(p), a));
}

/*
 * Keeps a compiler from regrouping the sum a, which can put one more addition
 * behind the operand that is ready last.
 */
CORE row row_fix(row a)
{
	__asm__("" : "+x"(a.lo), "+x"(a.hi));
	return a;
}

/* One block follows another: addresses take fewer registers than split rows. */
enum { ROW_SPLIT = 0 };

/* The places of words 1 and 3 in a row; how many lanes can look ahead */
enum { ROW_WORD1 = 1, ROW_WORD3 = 3 };
#ifdef __x86_64__
enum { ROW_AHEAD = 2 };
#else
enum { ROW_AHEAD = 0 };
#endif
