/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A vector of four 64-bit words in one AVX2 register, in the order 0 2 1 3.
 * Words 0 and 2, which choose columns, are then in the half that can be read
 * directly.  A join takes one cycle instead of three.  The matrix has the same
 * order; vec_get() and vec_put() convert it.
 */
#include <immintrin.h>
#include <stdint.h>

typedef __m256i vec;

CORE vec vec_load(const uint64_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

CORE void vec_store(uint64_t *p, vec a)
{
	_mm256_storeu_si256((__m256i *)(void *)p, a);
}

CORE vec vec_get(const uint64_t *p)
{
	return _mm256_permute4x64_epi64(vec_load(p), 0xd8);
}

CORE void vec_put(uint64_t *p, vec a)
{
	vec_store(p, _mm256_permute4x64_epi64(a, 0xd8));
}

CORE vec vec_add(vec a, vec b)
{
	return _mm256_add_epi64(a, b);
}

CORE vec vec_xor(vec a, vec b)
{
	return _mm256_xor_si256(a, b);
}

/*
 * Keeps a compiler from regrouping the sum a, which can put one more addition
 * behind the operand that is ready last.
 */
CORE vec vec_fix(vec a)
{
	__asm__("" : "+x"(a));
	return a;
}

/*
 * A multiplication by 2 * a takes only bits 0 to 31 of it.  Returns 32 in the
 * words where bit 32 is lost, and 64 or more in others.  b, shifted to the left
 * by that, is the part of the product that is missing.
 */
CORE vec vec_lost(vec a);

/*
 * a + b + 2 * low half of a * low half of b.  b is ready last.  The sponge of a
 * single lane waits for b, so there only one addition follows the product.
 */
CORE vec vec_mix(vec a, vec b, int lanes)
{
	vec sum = vec_add(a, b), m;

	if (lanes > 1) {
		m = _mm256_mul_epu32(a, b);
		return vec_add(sum, vec_add(m, m));
	}
	sum = vec_add(sum, _mm256_sllv_epi64(b, vec_lost(a)));
	m = _mm256_mul_epu32(vec_add(a, a), b);
	return vec_add(vec_fix(sum), m);
}

CORE vec vec_left1(vec a)
{
	return _mm256_permute4x64_epi64(a, 0x1e);
}

CORE vec vec_left2(vec a)
{
	return _mm256_shuffle_epi32(a, 0x4e);
}

CORE vec vec_left3(vec a)
{
	return _mm256_permute4x64_epi64(a, 0x4b);
}

/* The upper half of a, then the lower half of b. */
CORE vec vec_join(vec a, vec b)
{
	return _mm256_castpd_si256(_mm256_shuffle_pd(
		_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), 0x5));
}

#ifdef __x86_64__
CORE uint64_t vec_word0(vec a)
{
	return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(a));
}

CORE uint64_t vec_word2(vec a)
{
	return (uint64_t)_mm_extract_epi64(_mm256_castsi256_si128(a), 1);
}
#else
CORE uint64_t vec_word0(vec a)
{
	uint64_t w[4];

	vec_store(w, a);
	return w[0];
}

CORE uint64_t vec_word2(vec a)
{
	uint64_t w[4];

	vec_store(w, a);
	return w[1];
}
#endif

CORE void vec_xor_to(uint64_t *p, vec a)
{
	vec_store(p, vec_xor(vec_load(p), a));
}

/* The places of words 1 and 3 in a vec; how many lanes can look ahead */
enum { VEC_WORD1 = 2, VEC_WORD3 = 3 };
#ifdef __x86_64__
enum { VEC_AHEAD = 2 };
#else
enum { VEC_AHEAD = 0 };
#endif
