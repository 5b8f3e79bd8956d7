/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows of two lanes, each as in row-ymm.h, in one AVX-512 register.  The
 * lower half holds the row of the first lane.
 */
#define ROWS 2

typedef __m512i rows;

CORE rows rows_of(row x, row y)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(x), y, 1);
}

CORE row rows_lane(rows x, int lane)
{
	return lane == 0 ? _mm512_castsi512_si256(x) :
			   _mm512_extracti64x4_epi64(x, 1);
}

CORE void rows_store(uint64_t *p, rows x)
{
	_mm512_storeu_si512(p, x);
}

/* Keeps x as it was written: see row_fix(). */
CORE rows rows_fix(rows x)
{
	__asm__("" : "+v"(x));
	return x;
}

/* Words 0 and 2 of each lane; the way through memory is the fastest. */
CORE void rows_words(uint64_t w[4], rows x)
{
	uint64_t all[8];

	_mm512_storeu_si512(all, x);
	__asm__("" : "+m"(all));
	w[0] = all[0];
	w[1] = all[1];
	w[2] = all[4];
	w[3] = all[5];
}

/* Without rows_fix(), clang rotates both operands, not the result. */
CORE rows rows_xor(rows x, rows y)
{
	return rows_fix(_mm512_xor_si512(x, y));
}

CORE rows rows_add(rows x, rows y)
{
	return _mm512_add_epi64(x, y);
}

/*
 * x + y + 2 * low half of x * low, where low is the low half of y.  x is ready
 * early, so its low half is doubled first.  That has 33 bits, so the product is
 * one of 64-bit words.
 */
CORE rows rows_mix(rows x, rows y, rows low, int n)
{
	const rows bits33 = _mm512_set1_epi64(0x1ffffffff);
	const rows twice = _mm512_and_si512(rows_add(x, x), bits33);

	(void)n;
	return rows_add(rows_fix(rows_add(x, y)),
			_mm512_mullo_epi64(twice, low));
}

/* x + y + 2 * low half of x * low half of y, where x is as late as y */
CORE rows rows_mix_late(rows x, rows y, int n)
{
	const rows m = _mm512_mul_epu32(x, y);

	(void)n;
	return rows_add(rows_fix(rows_add(x, y)), rows_fix(rows_add(m, m)));
}

/* ---- rotations of words, and the lower halves of their results ---- */

#define ROWS_ROR(n) \
CORE rows rows_ror##n(rows x) \
{ \
	return _mm512_ror_epi64(x, n); \
}
ROWS_ROR(32)
ROWS_ROR(24)
ROWS_ROR(16)
ROWS_ROR(63)
#undef ROWS_ROR

CORE rows rows_ror32_low(rows x)
{
	return _mm512_srli_epi64(x, 32);
}

/*
 * The lower half of each word becomes four of its bytes, and the upper half 0.
 * from has the number of the first of them, four times.
 */
CORE rows rows_bytes(rows x, long long from)
{
	const long long first = (long long)0x8080808003020100 + from;

	return _mm512_shuffle_epi8(x, _mm512_set4_epi64(
		first | 0x08080808, first, first | 0x08080808, first));
}

CORE rows rows_ror24_low(rows x)
{
	return rows_bytes(x, 0x03030303);
}

CORE rows rows_ror16_low(rows x)
{
	return rows_bytes(x, 0x02020202);
}

/* The lower half is made of the bytes that begin at bits 63, 7, 15 and 23. */
CORE rows rows_ror63_low(rows x)
{
	return _mm512_maskz_multishift_epi64_epi8(0x0f0f0f0f0f0f0f0f,
		_mm512_set1_epi64(0x170f073f), x);
}

/* ---- rotations of rows ---- */

CORE rows rows_left1(rows x)
{
	return _mm512_permutex_epi64(x, 0x1e);
}

CORE rows rows_left2(rows x)
{
	return _mm512_shuffle_epi32(x, 0x4e);
}

CORE rows rows_left3(rows x)
{
	return _mm512_permutex_epi64(x, 0x4b);
}
