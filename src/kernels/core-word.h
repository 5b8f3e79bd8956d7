/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic on single words, in general registers. */
#include <stdbool.h>
#include <stdint.h>

/*
 * For x mod n without a division.  inverse is floor((2^64 - 1) / n).  power is
 * true if n is a power of two, and then inverse is not used.
 */
struct modulus {
	uint64_t n, inverse;
	bool power;
};

CORE uint64_t modulo(uint64_t x, struct modulus m)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	uint64_t r;

	if (m.power)
		return x & (m.n - 1);
	/* The quotient is the true one or one less. */
	r = x - (uint64_t)((wide)x * m.inverse >> 64) * m.n;
	return r >= m.n ? r - m.n : r;
#else
	return m.power ? x & (m.n - 1) : x % m.n;
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
