/* SPDX-License-Identifier: BSD-2-Clause */
/* A vector of four 64-bit words in portable C. */
#include <stdint.h>

/* gcc keeps named members, unlike an array, in registers. */
typedef struct {
	uint64_t x, y, z, w;
} vec;

#define VEC_EACH(f) ((vec){ f(x), f(y), f(z), f(w) })

CORE vec vec_load(const uint64_t *p)
{
	return (vec){ p[0], p[1], p[2], p[3] };
}

CORE void vec_store(uint64_t *p, vec a)
{
	p[0] = a.x;
	p[1] = a.y;
	p[2] = a.z;
	p[3] = a.w;
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
#define ADD(i) a.i + b.i
	return VEC_EACH(ADD);
#undef ADD
}

CORE vec vec_xor(vec a, vec b)
{
#define XOR(i) a.i ^ b.i
	return VEC_EACH(XOR);
#undef XOR
}

/* a + b + 2 * low half of a * low half of b */
CORE vec vec_mix(vec a, vec b, int lanes)
{
	(void)lanes;
#define MIX(i) a.i + b.i + 2 * ((uint64_t)(uint32_t)a.i * (uint32_t)b.i)
	return VEC_EACH(MIX);
#undef MIX
}

#define VEC_ROR(n) \
CORE vec vec_ror##n(vec a) \
{ \
	return (vec){ a.x >> n | a.x << (64 - n), \
		      a.y >> n | a.y << (64 - n), \
		      a.z >> n | a.z << (64 - n), \
		      a.w >> n | a.w << (64 - n) }; \
}
VEC_ROR(32)
VEC_ROR(24)
VEC_ROR(16)
VEC_ROR(63)
#undef VEC_ROR

CORE vec vec_left1(vec a)
{
	return (vec){ a.y, a.z, a.w, a.x };
}

CORE vec vec_left2(vec a)
{
	return (vec){ a.z, a.w, a.x, a.y };
}

CORE vec vec_left3(vec a)
{
	return (vec){ a.w, a.x, a.y, a.z };
}

/* The upper half of a, then the lower half of b. */
CORE vec vec_join(vec a, vec b)
{
	return (vec){ a.z, a.w, b.x, b.y };
}

CORE uint64_t vec_word0(vec a)
{
	return a.x;
}

CORE uint64_t vec_word2(vec a)
{
	return a.z;
}

/* p ^= a, word by word, so that each word takes one instruction. */
CORE void vec_xor_to(uint64_t *p, vec a)
{
	p[0] ^= a.x;
	p[1] ^= a.y;
	p[2] ^= a.z;
	p[3] ^= a.w;
}

CORE vec vec_fix(vec a)
{
	return a;
}

/* Places of words 1 and 3; words are in general registers: none looks ahead. */
enum { VEC_WORD1 = 1, VEC_WORD3 = 3, VEC_AHEAD = 0,
       VEC_AHEAD_BLAKE2B = 0 };
