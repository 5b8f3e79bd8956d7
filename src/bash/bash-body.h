/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bash-f of STB 34.101.77: the source that every kernel compiles with its own
 * vector of four 64-bit words (vec-*.h).
 *
 * The state is three planes of eight words, w0, w1 and w2.  Words at the same
 * place in each plane form a column; the columns are kept in two halves, a and
 * b, in this order:
 *
 *	a: 1 0 4 5	b: 2 7 3 6
 *
 * The permutation P then renames the six rows, and moves words in four of them.
 * In two rows, the pairs of words change places (vec_left2).  In the other two,
 * the words of each pair do (vec_swap); only this is slow in AVX2.
 *
 * S3 has (~w2 | w1), and CPUs have and-not but no or-not.  So every other
 * round leaves the complement of w0.  Then u0, u1 and u2 of the next round are
 * complements, too, from which that round computes true words with the same
 * number of instructions.
 *
 * After three rounds each row has its old name again, and after two rounds w0
 * has its true words again.  So a loop of six rounds needs no moves.
 */
#include "bytes.h"

struct bash_plane {
	vec a, b;
};

struct bash_state {
	struct bash_plane w0, w1, w2;
};

/* Four columns: a or b of each plane */
struct bash_half {
	vec w0, w1, w2;
};

/* ---- rotations: m1, n1, m2 and n2 of each column; n12 = n1 + n2 ---- */

CORE vec bash_m1(vec x, int b)
{
	return b ? vec_rol4(x, 8, 56, 56, 8) : vec_rol4(x, 56, 8, 8, 56);
}

CORE vec bash_n1(vec x, int b)
{
	return b ? vec_rol4(x, 37, 35, 3, 5) : vec_rol4(x, 51, 53, 21, 19);
}

CORE vec bash_m2(vec x, int b)
{
	return b ? vec_rol4(x, 46, 2, 2, 46) : vec_rol4(x, 34, 14, 14, 34);
}

CORE vec bash_n2(vec x, int b)
{
	return b ? vec_rol4(x, 49, 55, 23, 17) : vec_rol4(x, 7, 1, 33, 39);
}

CORE vec bash_n12(vec x, int b)
{
	return b ? vec_rol4(x, 22, 26, 26, 22) : vec_rol4(x, 58, 54, 54, 58);
}

/* ---- one round: bash-s on the columns, P, the constant ---- */

/* w0 ^ w1 ^ w2.  The vector that vec_swap() has just moved comes last. */
CORE vec bash_u0(struct bash_half x, int b)
{
	return b ? vec_xor3(x.w0, x.w1, x.w2) : vec_xor3(x.w0, x.w2, x.w1);
}

/* L3, with the fewest instructions */
CORE struct bash_half bash_l3(struct bash_half x, int b)
{
	const vec u0 = bash_u0(x, b);
	const vec t = vec_xor(x.w1, bash_n1(u0, b));
	const vec u1 = vec_xor(t, bash_m1(x.w0, b));
	const vec u2 = vec_xor(x.w2, bash_n2(t, b));

	return (struct bash_half){ u0, u1, vec_xor(u2, bash_m2(x.w2, b)) };
}

/*
 * L3 with one more rotation, but only one instead of two between u0 and u2, the
 * path that limits vector units.
 */
CORE struct bash_half bash_l3_short(struct bash_half x, int b)
{
	const vec u0 = bash_u0(x, b);
	const vec u1 = vec_xor3(x.w1, bash_m1(x.w0, b), bash_n1(u0, b));
	const vec u2 = vec_xor3(x.w2, bash_m2(x.w2, b), bash_n2(x.w1, b));

	return (struct bash_half){ u0, u1, vec_xor(vec_fix(u2),
						   bash_n12(u0, b)) };
}

/* S3, and c xored into w0.  Of true words, leaves only w0 as a complement. */
CORE struct bash_half bash_s3(struct bash_half u, vec c)
{
	return (struct bash_half){
		vec_xor_andn(vec_xor(u.w0, c), u.w1, u.w2),
		vec_xor_or(u.w1, u.w0, u.w2),
		vec_xor_and(u.w2, u.w0, u.w1),
	};
}

/* S3, and c xored into w0.  Of complements, leaves true words. */
CORE struct bash_half bash_s3_back(struct bash_half u, vec c)
{
	return (struct bash_half){
		vec_xor_andn(vec_xor(u.w0, c), u.w2, u.w1),
		vec_xor_and(u.w1, u.w0, u.w2),
		vec_xor_or(u.w2, u.w0, u.w1),
	};
}

CORE struct bash_half bash_s(struct bash_half x, int b, int back, vec c)
{
	const struct bash_half u = BASH_SHORT ? bash_l3_short(x, b) :
						bash_l3(x, b);

	return back ? bash_s3_back(u, c) : bash_s3(u, c);
}

/* Word i of a vector, and zeros */
CORE vec bash_only(vec x, int i)
{
	uint64_t w[4];

	vec_put(w, x);
	return vec_of(i == 0 ? w[0] : 0, i == 1 ? w[1] : 0,
		      i == 2 ? w[2] : 0, i == 3 ? w[3] : 0);
}

/* Column i alone, for CPUs with too few registers for more at a time */
CORE struct bash_half bash_s_of(struct bash_half x, int i, int b, int back,
				vec c)
{
	const struct bash_half y = { bash_only(x.w0, i), bash_only(x.w1, i),
				     bash_only(x.w2, i) };
	const struct bash_half z = bash_s(y, b, back, bash_only(c, i));

	return (struct bash_half){ bash_only(z.w0, i), bash_only(z.w1, i),
				   bash_only(z.w2, i) };
}

CORE struct bash_half bash_sum(struct bash_half x, struct bash_half y)
{
	return (struct bash_half){ vec_xor(x.w0, y.w0), vec_xor(x.w1, y.w1),
				   vec_xor(x.w2, y.w2) };
}

CORE struct bash_half bash_columns(struct bash_half x, int b, int back, vec c)
{
	if (BASH_COLUMNS == 4)
		return bash_s(x, b, back, c);
	return bash_sum(bash_sum(bash_s_of(x, 0, b, back, c),
				 bash_s_of(x, 1, b, back, c)),
			bash_sum(bash_s_of(x, 2, b, back, c),
				 bash_s_of(x, 3, b, back, c)));
}

/*
 * The constant belongs to the word from column 1, which is word 0 of a in w0.
 * The constant is added before P, where no instruction waits for the sum.
 */
CORE void bash_round(struct bash_state *s, int back, uint64_t constant)
{
	struct bash_half a = { s->w0.a, s->w1.a, s->w2.a };
	struct bash_half b = { s->w0.b, s->w1.b, s->w2.b };

	a = bash_columns(a, 0, back, vec_of(constant, 0, 0, 0));
	b = bash_columns(b, 1, back, vec_of(0, 0, 0, 0));
	s->w0 = (struct bash_plane){ b.w1, a.w1 };
	s->w1 = (struct bash_plane){ vec_swap(a.w2), vec_left2(b.w2) };
	s->w2 = (struct bash_plane){ vec_left2(b.w0), vec_swap(a.w0) };
}

/*
 * Each constant is half of the one before it.  If that one is odd, the constant
 * is xored with 0xdc2be1997fe0d8ae.
 */
CORE void bash_f(struct bash_state *s)
{
	static const uint64_t constant[24] = {
		0x3bf5080ac8ba94b1, 0xc1d1659c1bbd92f6, 0x60e8b2ce0ddec97b,
		0xec5fb8fe790fbc13, 0xaa043de6436706a7, 0x8929ff6a5e535bfd,
		0x98bf1e2c50c97550, 0x4c5f8f162864baa8, 0x262fc78b14325d54,
		0x1317e3c58a192eaa, 0x098bf1e2c50c9755, 0xd8ee19681d669304,
		0x6c770cb40eb34982, 0x363b865a0759a4c1, 0xc73622b47c4c0ace,
		0x639b115a3e260567, 0xede6693460f3da1d, 0xaad8d5034f9935a0,
		0x556c6a81a7cc9ad0, 0x2ab63540d3e64d68, 0x155b1aa069f326b4,
		0x0aad8d5034f9935a, 0x0556c6a81a7cc9ad, 0xde8082cd72debc78,
	};
	const uint64_t *c;

	for (c = constant; c < constant + 24; c += 6) {
		bash_round(s, 0, c[0]);
		bash_round(s, 1, c[1]);
		bash_round(s, 0, c[2]);
		bash_round(s, 1, c[3]);
		bash_round(s, 0, c[4]);
		bash_round(s, 1, c[5]);
	}
}

/* ---- blocks of input ---- */

CORE uint64_t bash_word(const uint8_t *p, int i)
{
	return bytes_get64(p + 8 * i);
}

CORE struct bash_plane bash_plane_of(const uint8_t *p)
{
	return (struct bash_plane){
		vec_of(bash_word(p, 1), bash_word(p, 0), bash_word(p, 4),
		       bash_word(p, 5)),
		vec_of(bash_word(p, 2), bash_word(p, 7), bash_word(p, 3),
		       bash_word(p, 6)),
	};
}

CORE struct bash_plane bash_load(const uint64_t *w)
{
	return (struct bash_plane){ vec_get(w), vec_get(w + 4) };
}

CORE void bash_store(uint64_t *w, struct bash_plane x)
{
	vec_put(w, x.a);
	vec_put(w + 4, x.b);
}

LYRA2_INTERNAL bash_blocks_fn CORE_KERNEL;

CORE_ENTRY void CORE_KERNEL(uint64_t *state, const uint8_t *p, size_t n)
{
	struct bash_state s = { bash_load(state), bash_load(state + 8),
				bash_load(state + 16) };

	for (; n > 0; n--, p += BASH256_BLOCK) {
		s.w0 = bash_plane_of(p);
		s.w1 = bash_plane_of(p + 64);
		bash_f(&s);
	}
	bash_store(state, s.w0);
	bash_store(state + 8, s.w1);
	bash_store(state + 16, s.w2);
}

/* Another kernel may follow: a translation unit can hold several. */
#undef CORE_KERNEL
#undef CORE_TARGET
#undef BASH_COLUMNS
#undef BASH_SHORT
