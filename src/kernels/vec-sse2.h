/* SPDX-License-Identifier: BSD-2-Clause */
/* A vector of four 64-bit words in two SSE2 registers. */
#include <emmintrin.h>
#include <stdint.h>

typedef __m128i vec_half;

/* The upper word of a, then the lower word of b. */
CORE vec_half vec_pair(vec_half a, vec_half b)
{
	return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a),
					       _mm_castsi128_pd(b), 1));
}

typedef struct {
	vec_half lo, hi;
} vec;

CORE vec vec_left1(vec a)
{
	return (vec){ vec_pair(a.lo, a.hi), vec_pair(a.hi, a.lo) };
}

CORE vec vec_left2(vec a)
{
	return (vec){ a.hi, a.lo };
}

CORE vec vec_left3(vec a)
{
	return (vec){ vec_pair(a.hi, a.lo), vec_pair(a.lo, a.hi) };
}

/* The upper half of a, then the lower half of b. */
CORE vec vec_join(vec a, vec b)
{
	return (vec){ a.hi, b.lo };
}

CORE vec vec_load(const uint64_t *p)
{
	return (vec){ _mm_loadu_si128((const __m128i *)(const void *)p),
		      _mm_loadu_si128((const __m128i *)(const void *)(p + 2)) };
}

CORE void vec_store(uint64_t *p, vec a)
{
	_mm_storeu_si128((__m128i *)(void *)p, a.lo);
	_mm_storeu_si128((__m128i *)(void *)(p + 2), a.hi);
}

/* Loads words in their order; vec_load() may have another, the matrix's. */
CORE vec vec_get(const uint64_t *p)
{
	return vec_load(p);
}

CORE void vec_put(uint64_t *p, vec a)
{
	vec_store(p, a);
}

CORE vec vec_add(vec a, vec b)
{
	return (vec){ _mm_add_epi64(a.lo, b.lo), _mm_add_epi64(a.hi, b.hi) };
}

CORE vec vec_xor(vec a, vec b)
{
	return (vec){ _mm_xor_si128(a.lo, b.lo), _mm_xor_si128(a.hi, b.hi) };
}

/* a + b + 2 * low half of a * low half of b */
CORE vec vec_mix(vec a, vec b, int lanes)
{
	vec m = { _mm_mul_epu32(a.lo, b.lo), _mm_mul_epu32(a.hi, b.hi) };

	(void)lanes;
	/* Neither sum waits for the other. */
	return vec_add(vec_add(a, b), vec_add(m, m));
}

CORE vec vec_ror32(vec a)
{
	return (vec){ _mm_shuffle_epi32(a.lo, 0xb1),
		      _mm_shuffle_epi32(a.hi, 0xb1) };
}

CORE vec vec_ror24(vec a)
{
	return (vec){ _mm_xor_si128(_mm_srli_epi64(a.lo, 24),
				    _mm_slli_epi64(a.lo, 40)),
		      _mm_xor_si128(_mm_srli_epi64(a.hi, 24),
				    _mm_slli_epi64(a.hi, 40)) };
}

CORE vec vec_ror16(vec a)
{
	return (vec){ _mm_xor_si128(_mm_srli_epi64(a.lo, 16),
				    _mm_slli_epi64(a.lo, 48)),
		      _mm_xor_si128(_mm_srli_epi64(a.hi, 16),
				    _mm_slli_epi64(a.hi, 48)) };
}

CORE vec vec_ror63(vec a)
{
	return (vec){ _mm_xor_si128(_mm_srli_epi64(a.lo, 63),
				    _mm_add_epi64(a.lo, a.lo)),
		      _mm_xor_si128(_mm_srli_epi64(a.hi, 63),
				    _mm_add_epi64(a.hi, a.hi)) };
}

CORE uint64_t vec_low(vec_half a)
{
#ifdef __x86_64__
	return (uint64_t)_mm_cvtsi128_si64(a);
#else
	uint64_t w;

	_mm_storel_epi64((__m128i *)(void *)&w, a);
	return w;
#endif
}

CORE uint64_t vec_word0(vec a)
{
	return vec_low(a.lo);
}

CORE uint64_t vec_word2(vec a)
{
	return vec_low(a.hi);
}

CORE void vec_xor_to(uint64_t *p, vec a)
{
	vec_store(p, vec_xor(vec_load(p), a));
}

/*
 * Keeps a compiler from regrouping the sum a, which can put one more addition
 * behind the operand that is ready last.
 */
CORE vec vec_fix(vec a)
{
	__asm__("" : "+x"(a.lo), "+x"(a.hi));
	return a;
}

/* The places of words 1 and 3 in a vec; how many lanes can look ahead */
enum { VEC_WORD1 = 1, VEC_WORD3 = 3 };
#ifdef __x86_64__
enum { VEC_AHEAD = 2, VEC_AHEAD_BLAKE2B = 2 };
#else
enum { VEC_AHEAD = 0, VEC_AHEAD_BLAKE2B = 0 };
#endif
