/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of four 64-bit words in portable C. */
#include <stdint.h>

/* gcc keeps named members, unlike an array, in registers. */
typedef struct {
	uint64_t x, y, z, w;
} row;

#define ROW_EACH(f) ((row){ f(x), f(y), f(z), f(w) })

CORE row row_load(const uint64_t *p)
{
	return (row){ p[0], p[1], p[2], p[3] };
}

CORE void row_store(uint64_t *p, row a)
{
	p[0] = a.x;
	p[1] = a.y;
	p[2] = a.z;
	p[3] = a.w;
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
#define ADD(i) a.i + b.i
	return ROW_EACH(ADD);
#undef ADD
}

CORE row row_xor(row a, row b)
{
#define XOR(i) a.i ^ b.i
	return ROW_EACH(XOR);
#undef XOR
}

/* a + b + 2 * low half of a * low half of b */
CORE row row_mix(row a, row b, int lanes)
{
	(void)lanes;
#define MIX(i) a.i + b.i + 2 * ((uint64_t)(uint32_t)a.i * (uint32_t)b.i)
	return ROW_EACH(MIX);
#undef MIX
}

#define ROW_ROR(n) \
CORE row row_ror##n(row a) \
{ \
	return (row){ a.x >> n | a.x << (64 - n), \
		      a.y >> n | a.y << (64 - n), \
		      a.z >> n | a.z << (64 - n), \
		      a.w >> n | a.w << (64 - n) }; \
}
ROW_ROR(32)
ROW_ROR(24)
ROW_ROR(16)
ROW_ROR(63)
#undef ROW_ROR

CORE row row_left1(row a)
{
	return (row){ a.y, a.z, a.w, a.x };
}

CORE row row_left2(row a)
{
	return (row){ a.z, a.w, a.x, a.y };
}

CORE row row_left3(row a)
{
	return (row){ a.w, a.x, a.y, a.z };
}

/* The upper half of a, then the lower half of b. */
CORE row row_join(row a, row b)
{
	return (row){ a.z, a.w, b.x, b.y };
}

CORE uint64_t row_word0(row a)
{
	return a.x;
}

CORE uint64_t row_word2(row a)
{
	return a.z;
}

/* p ^= a, word by word, so that each word takes one instruction. */
CORE void row_xor_to(uint64_t *p, row a)
{
	p[0] ^= a.x;
	p[1] ^= a.y;
	p[2] ^= a.z;
	p[3] ^= a.w;
}

CORE row row_fix(row a)
{
	return a;
}

/* One block follows another: addresses take fewer registers than split rows. */
enum { ROW_SPLIT = 0 };

/* Places of words 1 and 3; words are in general registers: none looks ahead. */
enum { ROW_WORD1 = 1, ROW_WORD3 = 3, ROW_AHEAD = 0 };
