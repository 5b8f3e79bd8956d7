/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic on single words, in general registers. */
#include <stdint.h>

/*
 * For x mod n without a division.  mask is n - 1 if n is a power of two, else
 * 0.  inverse is floor((2^64 - 1) / n).
 */
struct modulus {
	uint64_t n, mask, inverse;
};

CORE struct modulus modulus(uint64_t n)
{
	struct modulus m = { n, n & (n - 1) ? 0 : n - 1, UINT64_MAX / n };

	return m;
}

CORE uint64_t modulo(uint64_t x, struct modulus m)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	uint64_t r;

	if (EITHER(m.mask != 0))
		return x & m.mask;
	/* The quotient is the true one or one less. */
	r = x - (uint64_t)((wide)x * m.inverse >> 64) * m.n;
	return r >= m.n ? r - m.n : r;
#else
	return m.mask ? x & m.mask : x % m.n;
#endif
}

CORE uint64_t word_ror(uint64_t x, int n)
{
	return x >> n | x << (64 - n);
}

/* Keeps a compiler from computing x in another way, such as a regrouped sum. */
CORE uint64_t word_fix(uint64_t x)
{
	__asm__("" : "+r"(x));
	return x;
}

/* BlaMka's addition.  y is ready last: one addition waits for the product. */
CORE uint64_t word_mix(uint64_t x, uint64_t y)
{
	const uint64_t sum = word_fix(x + y);

	return sum + word_fix(2 * word_fix((uint32_t)x)) *
		     word_fix((uint32_t)y);
}
