/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sponge, with BlaMka, and the blocks of 12 words that it reads and writes:
 * what the loops of the phases are made of.
 */
#include <assert.h>
#include <stdbool.h>

#include "core-shape.h"
#include "core-lanes.h"

/* The state: v[0..3], v[4..7], v[8..11], v[12..15]. */
struct state {
	row a, b, c, d;
	row t;			/* b before its last rotation, by 63 */
};

/* Offsets of the next columns of prev0 and prev1; several lanes use one. */
struct next {
	size_t col0, col1;
};

/* A block of the matrix */
struct block {
	row a, b, c;
};

/* ---- the sponge (LYRA2 paper, section 3; BLAKE2b, RFC 7693, 3.1) ---- */

/* G on the four columns at once */
CORE void columns(struct shape k, struct state *s, int n)
{
	EACH(n, s[i].a = any_row_mix(k, s[i].a, s[i].b, n));
	EACH(n, s[i].d = row_ror32(row_xor(s[i].d, s[i].a)));
	EACH(n, s[i].c = any_row_mix(k, s[i].c, s[i].d, n));
	EACH(n, s[i].b = row_ror24(row_xor(s[i].b, s[i].c)));
	EACH(n, s[i].a = any_row_mix(k, s[i].a, s[i].b, n));
	EACH(n, s[i].d = row_ror16(row_xor(s[i].d, s[i].a)));
	EACH(n, s[i].c = any_row_mix(k, s[i].c, s[i].d, n));
	EACH(n, s[i].t = row_xor(s[i].b, s[i].c));
	EACH(n, s[i].b = row_ror63(s[i].t));
}

/*
 * Rotating a, c and d turns the diagonals into columns, and back.  Row b, which
 * is ready last, is not rotated, so no rotation delays it.
 */
CORE void turn(struct state *s, int n)
{
	EACH(n, s[i].a = row_left3(s[i].a));
	EACH(n, s[i].d = row_left2(s[i].d));
	EACH(n, s[i].c = row_left1(s[i].c));
}

CORE void turn_back(struct state *s, int n)
{
	EACH(n, s[i].a = row_left1(s[i].a));
	EACH(n, s[i].d = row_left2(s[i].d));
	EACH(n, s[i].c = row_left3(s[i].c));
}

CORE void diagonals(struct shape k, struct state *s, int n)
{
	turn(s, n);
	columns(k, s, n);
	turn_back(s, n);
}

CORE void permute(struct shape k, struct state *s, int n, uint32_t rounds)
{
	uint32_t r;

	for (r = 0; r < rounds; r++) {
		columns(k, s, n);
		diagonals(k, s, n);
	}
}

/* Row by row: gcc copies a whole struct in 512-bit registers if it has them. */
CORE void state_copy(struct state *to, const struct state *from)
{
	to->a = from->a;
	to->b = from->b;
	to->c = from->c;
	to->d = from->d;
	if (ROW_SPLIT)
		to->t = from->t;
}

CORE void state_init(struct state *s)
{
	static const uint64_t iv[16] = {
		0, 0, 0, 0, 0, 0, 0, 0,
		0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
		0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f,
		0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	};

	s->a = row_get(iv);
	s->b = row_get(iv + 4);
	s->c = row_get(iv + 8);
	s->d = row_get(iv + 12);
}

/* ---- blocks ---- */

/* Where the rows of a block lie: words 0 to 3, 4 to 7, and the others. */
struct place {
	uint64_t *a, *b, *c;
};

/* What one column adds to an offset in a row of the matrix. */
enum { COLUMN = 16 };

/*
 * Where the first block of a row of the matrix lies.  A split row holds words 0
 * to 7 of all columns and then the others, so that an offset becomes an address
 * without a multiplication.  In a row that is not split, one block follows
 * another.
 */
CORE struct place place_first(uint64_t *start, struct modulus cols)
{
	uint64_t *others = start + (ROW_SPLIT ? 8 * cols.n : 8);

	return (struct place){ start, start + 4, others };
}

/* Offsets that count down are negative, modulo 2^64. */
CORE uint64_t *move(uint64_t *p, size_t bytes)
{
	return (void *)((uint8_t *)p + (ptrdiff_t)bytes);
}

/* Where the block lies whose words 0 to 7, and others, are so far behind */
CORE struct place place_moved(struct place first, size_t ab, size_t c)
{
	uint64_t *a = move(first.a, ab);

	return (struct place){ a, CORE_APART ? move(first.b, ab) : a + 4,
			       move(first.c, c) };
}

/* Where the block of another column lies */
CORE struct place place_at(struct place first, size_t offset)
{
	return place_moved(first, (ROW_SPLIT ? 4 : 6) * offset,
			   (ROW_SPLIT ? 2 : 6) * offset);
}

/*
 * place_first() for columns in any order.  gcc 12 would compute the address of
 * words 4 to 7 from that of words 0 to 3, which delays both loads by a cycle.
 */
CORE struct place place_any(uint64_t *start, struct modulus cols)
{
	struct place p = place_first(start, cols);

	if (CORE_APART)
		__asm__("" : "+r"(p.a), "+r"(p.b), "+r"(p.c));
	return p;
}

/* Words in a row of the matrix */
CORE size_t row_words(uint32_t cols)
{
	return (size_t)cols * 12;
}

CORE struct block block_load(struct place p)
{
	return (struct block){ row_load(p.a), row_load(p.b), row_load(p.c) };
}

CORE void block_store(struct place p, struct block x)
{
	row_store(p.a, x.a);
	row_store(p.b, x.b);
	row_store(p.c, x.c);
}

CORE struct block block_add(struct block x, struct block y)
{
	return (struct block){ row_add(x.a, y.a), row_add(x.b, y.b),
			       row_add(x.c, y.c) };
}

CORE struct block block_xor(struct block x, struct block y)
{
	return (struct block){ row_xor(x.a, y.a), row_xor(x.b, y.b),
			       row_xor(x.c, y.c) };
}

CORE struct block block_fix(struct block x)
{
	return (struct block){ row_fix(x.a), row_fix(x.b), row_fix(x.c) };
}

CORE void block_xor_to(struct place p, struct block x)
{
	row_xor_to(p.a, x.a);
	row_xor_to(p.b, x.b);
	row_xor_to(p.c, x.c);
}

/*
 * Fetches the cache lines of a block that will be written soon.  An address
 * past the end of the row, or of the matrix, does no harm.
 */
CORE void prefetch(struct place p)
{
	__builtin_prefetch(p.a, 1);
	__builtin_prefetch(p.c, 1);
}

/* rot(): word j of the result is word (j + 2) mod 12 of x. */
CORE struct block block_rotate(struct block x)
{
	return (struct block){ row_join(x.a, x.b), row_join(x.b, x.c),
			       row_join(x.c, x.a) };
}

CORE struct block rate(const struct state *s)
{
	return (struct block){ s->a, s->b, s->c };
}

CORE void absorb_rows(struct state *s, const struct block *x, int n)
{
	EACH(n, s[i].a = row_xor(s[i].a, x[i].a));
	EACH(n, s[i].b = row_xor(s[i].b, x[i].b));
	EACH(n, s[i].c = row_xor(s[i].c, x[i].c));
}

/* The least significant word of rot^i(rate) */
CORE uint64_t lsw(const struct state *s, uint32_t i)
{
	const row r = i < 2 ? s->a : s->b;

	return i % 2 == 0 ? row_word0(r) : row_word2(r);
}

/* The offset of the column that a word chooses */
CORE size_t column(uint64_t word, struct modulus cols)
{
	return (size_t)modulo(word, cols) * COLUMN;
}

/* The same of a word before its last rotation, by 63: 16 is 2^4. */
CORE size_t column_early(uint64_t t, struct modulus cols)
{
	static_assert(COLUMN == 16, "a rotation by 59 multiplies by it");

	if (cols.mask != 0)
		return (size_t)(word_ror(t, 59) & COLUMN * cols.mask);
	return column(word_ror(t, 63), cols);
}

CORE struct next next_columns(const struct state *s, struct modulus cols)
{
	if (ROW_SPLIT)
		return (struct next){ column_early(row_word0(s->t), cols),
				      column_early(row_word2(s->t), cols) };
	return (struct next){ column(lsw(s, 2), cols),
			      column(lsw(s, 3), cols) };
}

/* Whether n lanes know their next columns before the permutation ends */
CORE bool looks_ahead(int n)
{
	return n <= ROW_AHEAD;
}
