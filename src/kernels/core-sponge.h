/* SPDX-License-Identifier: BSD-2-Clause */
/* The sponge: its permutation, what it absorbs, which columns it chooses. */
#include <assert.h>

#include "core-block.h"

/* The state of a lane: v[0..3], v[4..7], v[8..11], v[12..15]. */
struct state {
	vec a, b, c, d;
};

/*
 * Does something for each lane i from 0 to n - 1.  n is a constant wherever
 * that must be fast, so the compiler unrolls the loop, and the states live in
 * registers.
 * The lanes advance instruction by instruction: one computes while the result
 * of another is not ready.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define EACH(n) _Pragma("GCC unroll 4") for (int i = 0; i < (n); i++)
#else
#define EACH(n) for (int i = 0; i < (n); i++)
#endif

CORE void state_init(struct state *s)
{
	static const uint64_t iv[16] = {
		0, 0, 0, 0, 0, 0, 0, 0,
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
		0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f,
		0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	};

	s->a = vec_get(iv);
	s->b = vec_get(iv + 4);
	s->c = vec_get(iv + 8);
	s->d = vec_get(iv + 12);
}

/* ---- the permutation (LYRA2 paper, section 3; BLAKE2b, RFC 7693, 3.1) ---- */

/*
 * G on the four columns of each state at once, but not yet its last rotation,
 * of b by 63.  In BLAKE2b's words, the state is a square of four rows, a to d.
 */
CORE void g_start(struct state *s, int n)
{
	EACH(n) s[i].a = mix(s[i].a, s[i].b, n);
	EACH(n) s[i].d = vec_ror32(vec_xor(s[i].d, s[i].a));
	EACH(n) s[i].c = mix(s[i].c, s[i].d, n);
	EACH(n) s[i].b = vec_ror24(vec_xor(s[i].b, s[i].c));
	EACH(n) s[i].a = mix(s[i].a, s[i].b, n);
	EACH(n) s[i].d = vec_ror16(vec_xor(s[i].d, s[i].a));
	EACH(n) s[i].c = mix(s[i].c, s[i].d, n);
	EACH(n) s[i].b = vec_xor(s[i].b, s[i].c);
}

CORE void g_end(struct state *s, int n)
{
	EACH(n) s[i].b = vec_ror63(s[i].b);
}

/*
 * Makes columns of the diagonals; turn_back() reverses that.  BLAKE2b leaves a
 * and turns b, c and d.  Here b stays: it is ready last, and nothing should
 * delay it.
 */
CORE void turn(struct state *s, int n)
{
	EACH(n) s[i].a = vec_left3(s[i].a);
	EACH(n) s[i].d = vec_left2(s[i].d);
	EACH(n) s[i].c = vec_left1(s[i].c);
}

CORE void turn_back(struct state *s, int n)
{
	EACH(n) s[i].a = vec_left1(s[i].a);
	EACH(n) s[i].d = vec_left2(s[i].d);
	EACH(n) s[i].c = vec_left3(s[i].c);
}

CORE void g_columns(struct state *s, int n)
{
	g_start(s, n);
	g_end(s, n);
}

CORE void g_diagonals(struct state *s, int n)
{
	turn(s, n);
	g_columns(s, n);
	turn_back(s, n);
}

/* The reduced permutation: one round */
CORE void permute(struct state *s, int n)
{
	g_columns(s, n);
	g_diagonals(s, n);
}

/* ---- the rate ---- */

CORE void absorb(struct state *s, struct block x)
{
	s->a = vec_xor(s->a, x.a);
	s->b = vec_xor(s->b, x.b);
	s->c = vec_xor(s->c, x.c);
}

CORE struct block rate(const struct state *s)
{
	return (struct block){ s->a, s->b, s->c };
}

/*
 * The words that choose rows, columns and lanes, w(k) of doc/spec/algorithm:
 * v[0], v[2], v[4], v[6]; with rotation 256 v[0], v[4], v[8], v[0]
 */
CORE uint64_t chosen(const struct state *s, int k)
{
	if (CORE_ROTATION == 256)
		return vec_word0(k % 3 == 0 ? s->a : k == 1 ? s->b : s->c);
	if (k % 2 == 0)
		return vec_word0(k == 0 ? s->a : s->b);
	return vec_word2(k == 1 ? s->a : s->b);
}

/*
 * Offsets of the next columns in their rows, by w(2) and w(3): col0 in prev0
 * and col1 in prev1.  With several lanes, w(2) chooses none, and col1 is in
 * prev0: doc/spec/algorithm calls it col0 there.
 */
struct next {
	size_t col0, col1;
};

/*
 * The offset of the column that a word chooses.  t is this word before G's last
 * rotation, by 63; of any other word, it is the word turned back by 1.  To
 * multiply by COLUMN, another rotation would follow, by 4 to the left: both are
 * one by 59.  The mask clears what that brings into the lowest bits.
 */
CORE size_t column_at(uint64_t t, struct modulus cols)
{
	static_assert(COLUMN == 16, "a rotation by 59 multiplies by it");

	if (cols.power)
		return (size_t)(word_ror(t, 59) & COLUMN * (cols.n - 1));
	return COLUMN * (size_t)modulo(word_ror(t, 63), cols);
}

CORE struct next choose_columns(const struct state *s, struct modulus cols)
{
	return (struct next){ column_at(word_ror(chosen(s, 2), 1), cols),
			      column_at(word_ror(chosen(s, 3), 1), cols) };
}
