/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2, versions 2.5 and 3.  Each kernel compiles this source with its own
 * row of four 64-bit words (row-*.h).  Names are the paper's.  Two rows of the
 * matrix can be the same row, so each sweep loads again after a store.
 */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* The sponge: v[0..3], v[4..7], v[8..11], v[12..15]. */
struct state {
	row a, b, c, d;
	row t;			/* b before its last rotation, by 63 */
};

/* Offsets of the next columns of prev0 and prev1; several lanes use one. */
struct next {
	size_t col0, col1;
};

/* A block of the matrix; words past its length are 0. */
struct block {
	row a, b, c;
};

/* The parameters that select code: constants in the loops that must be fast. */
struct shape {
	uint32_t sponge, rotation, words, rho;
	uint32_t lanes;		/* at most */
	uint32_t together;	/* lanes that advance at once, at most */
	uint32_t ahead;		/* of these, how many look ahead, at most */
	bool calls;		/* calls the permutation: short, not fast */
};

/* The rows that a lane works on; row1 and prev1 are NULL for the first rows. */
struct sweep {
	uint64_t *row0, *row1, *prev0, *prev1;
};

/* One of the paper's threads. */
struct lane {
	struct state s;
	uint64_t *slice;	/* its part of the matrix */
	struct sweep sweep;
	uint64_t out[12];	/* the rate, before it becomes key bytes */
	uint8_t in[64];		/* a block of input */
	size_t fill;		/* bytes in it so far */
};

static_assert(sizeof(struct lane) <= LYRA2_LANE_BYTES, "lane memory");

/* x mod n without a division: the inverse is floor((2^64 - 1) / n). */
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

	if (__builtin_expect_with_probability(m.mask != 0, 1, 0.5))
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

/* ---- the sponge (LYRA2 paper, section 3; BLAKE2b, RFC 7693, 3.1) ---- */

/* The addition of G.  A row may compute it in another way for one lane. */
CORE row mix(struct shape k, row x, row y, int n)
{
	return k.sponge == LYRA2_BLAKE2B ? row_add(x, y) : row_blamka(x, y, n);
}

/* G on the four columns at once */
CORE void columns(struct shape k, struct state *s, int n)
{
	EACH(n, s[i].a = mix(k, s[i].a, s[i].b, n));
	EACH(n, s[i].d = row_ror32(row_xor(s[i].d, s[i].a)));
	EACH(n, s[i].c = mix(k, s[i].c, s[i].d, n));
	EACH(n, s[i].b = row_ror24(row_xor(s[i].b, s[i].c)));
	EACH(n, s[i].a = mix(k, s[i].a, s[i].b, n));
	EACH(n, s[i].d = row_ror16(row_xor(s[i].d, s[i].a)));
	EACH(n, s[i].c = mix(k, s[i].c, s[i].d, n));
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
		if (k.sponge != LYRA2_HALF_BLAMKA) {
			diagonals(k, s, n);
			continue;
		}
		EACH(n, s[i].b = row_left1(s[i].b));
		EACH(n, s[i].t = row_left1(s[i].t));
		EACH(n, s[i].c = row_left2(s[i].c));
		EACH(n, s[i].d = row_left3(s[i].d));
	}
}

/* For rare permutations, and for shapes that prefer short code */
static __attribute__((noinline)) CORE_TARGET void
permute_call(uint32_t sponge, struct state *s, uint32_t rounds)
{
	permute((struct shape){ .sponge = sponge }, s, 1, rounds);
}

CORE void permute_full(struct shape k, struct state *s)
{
	permute_call(k.sponge, s, k.sponge == LYRA2_HALF_BLAMKA ? 24 : 12);
}

CORE void permute_reduced(struct shape k, struct state *s, int n)
{
	if (k.calls)
		permute_call(k.sponge, s, k.rho);
	else
		permute(k, s, n, k.rho);
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

/* Where the block of another column lies */
CORE struct place place_at(struct shape k, struct place first, size_t offset)
{
	const size_t ab = (ROW_SPLIT ? 8 : k.words) / 2 * offset;
	const size_t c = (ROW_SPLIT ? k.words - 8 : k.words) / 2 * offset;
	uint64_t *a = move(first.a, ab);

	return (struct place){ a, CORE_APART ? move(first.b, ab) : a + 4,
			       move(first.c, c) };
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

CORE struct place place(struct shape k, uint64_t *start, struct modulus cols,
			size_t offset)
{
	return place_at(k, place_first(start, cols), offset);
}

CORE struct block block_load(struct shape k, struct place p)
{
	uint64_t tail[4] = { 0, 0, 0, 0 };
	struct block x;

	x.a = row_load(p.a);
	x.b = row_load(p.b);
	if (k.words == 12) {
		x.c = row_load(p.c);
		return x;
	}
	memcpy(tail, p.c, (k.words - 8) * sizeof(*tail));
	x.c = row_get(tail);
	return x;
}

CORE struct block block_at(struct shape k, uint64_t *start, struct modulus cols,
			   size_t offset)
{
	return block_load(k, place(k, start, cols, offset));
}

CORE void block_store(struct shape k, struct place p, struct block x)
{
	uint64_t tail[4];

	row_store(p.a, x.a);
	row_store(p.b, x.b);
	if (k.words == 12) {
		row_store(p.c, x.c);
		return;
	}
	row_put(tail, x.c);
	memcpy(p.c, tail, (k.words - 8) * sizeof(*tail));
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

CORE void block_xor_to(struct shape k, struct place p, struct block x)
{
	if (k.words != 12) {
		block_store(k, p, block_xor(block_load(k, p), x));
		return;
	}
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

/* rot(): word j of the result is word (j + rotation / 64) mod words of x. */
CORE struct block block_rotate(struct shape k, struct block x)
{
	const row zero = row_xor(x.a, x.a);
	const int one = k.rotation == 256;

	if (k.words == 12)
		return one ? (struct block){ x.b, x.c, x.a } :
			     (struct block){ row_join(x.a, x.b),
					     row_join(x.b, x.c),
					     row_join(x.c, x.a) };
	if (k.words == 8)
		return one ? (struct block){ x.b, x.a, zero } :
			     (struct block){ row_join(x.a, x.b),
					     row_join(x.b, x.a), zero };
	return one ? (struct block){ x.b, row_join(row_left2(x.c), x.a),
				     row_join(x.a, zero) } :
		     (struct block){ row_join(x.a, x.b), row_join(x.b, x.c),
				     row_join(row_left2(x.a), zero) };
}

CORE struct block rate(struct shape k, const struct state *s)
{
	struct block x = { s->a, s->b, s->c };

	if (k.words == 12)
		return x;
	if (k.words == 8)
		x.c = row_xor(x.c, x.c);
	else
		x.c = row_join(row_left2(x.c), row_xor(x.c, x.c));
	return x;
}

CORE void absorb_rows(struct state *s, const struct block *x, int n)
{
	EACH(n, s[i].a = row_xor(s[i].a, x[i].a));
	EACH(n, s[i].b = row_xor(s[i].b, x[i].b));
	EACH(n, s[i].c = row_xor(s[i].c, x[i].c));
}

/* Absorbs x[i] and leaves the new rate there. */
CORE void duplex(struct shape k, struct state *s, struct block *x, int n)
{
	absorb_rows(s, x, n);
	permute_reduced(k, s, n);
	EACH(n, x[i] = rate(k, &s[i]));
}

/* The least significant word of rot^i(rate) */
CORE uint64_t lsw(struct shape k, const struct state *s, uint32_t i)
{
	switch (i * k.rotation / 64 % k.words) {
	case 0:
		return row_word0(s->a);
	case 2:
		return row_word2(s->a);
	case 4:
		return row_word0(s->b);
	case 6:
		return row_word2(s->b);
	default:
		return row_word0(s->c);
	}
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
		return word_ror(t, 59) & COLUMN * cols.mask;
	return column(word_ror(t, 63), cols);
}

CORE struct next next_columns(struct shape k, const struct state *s,
			      struct modulus cols)
{
	if (ROW_SPLIT && k.words == 12 && k.rotation == 128)
		return (struct next){ column_early(row_word0(s->t), cols),
				      column_early(row_word2(s->t), cols) };
	return (struct next){ column(lsw(k, s, 2), cols),
			      column(lsw(k, s, 3), cols) };
}

#include "core-ahead.h"

/* Whether n lanes know their next columns before the permutation ends */
CORE bool looks_ahead(struct shape k, int n)
{
	return (uint32_t)n <= k.ahead;
}

/* duplex(); who looks ahead finds the next columns in it. */
CORE void duplex_next(struct shape k, struct state *s, struct block *x, int n,
		      struct modulus cols, struct next *next)
{
	if (!looks_ahead(k, n)) {
		duplex(k, s, x, n);
		return;
	}
	absorb_rows(s, x, n);
	permute_ahead(k, s, n, cols, next);
	EACH(n, x[i] = rate(k, &s[i]));
}

/* ---- bootstrapping: password, salt, parameters, padding ---- */

CORE uint64_t le64(const uint8_t *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

CORE row row_le(const uint8_t *p)
{
	const uint64_t w[4] = { le64(p), le64(p + 8), le64(p + 16),
				le64(p + 24) };

	return row_get(w);
}

/* A block of input has 64 bytes, whatever the length of other blocks. */
CORE_ONCE void absorb_block(struct shape k, struct lane *l)
{
	l->s.a = row_xor(l->s.a, row_le(l->in));
	l->s.b = row_xor(l->s.b, row_le(l->in + 32));
	permute_full(k, &l->s);
	l->fill = 0;
}

CORE_ONCE void absorb(struct shape k, struct lane *l, const uint8_t *p,
		      size_t n)
{
	while (n > 0) {
		size_t room = sizeof(l->in) - l->fill;
		size_t m = n < room ? n : room;

		memcpy(l->in + l->fill, p, m);
		l->fill += m;
		p += m;
		n -= m;
		if (l->fill == sizeof(l->in))
			absorb_block(k, l);
	}
}

CORE void bootstrap(struct shape k, const struct lyra2_job *job,
		    struct lane *l, uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const uint32_t field[8] = {
		(uint32_t)job->keylen, (uint32_t)job->passwordlen,
		(uint32_t)job->saltlen, p->t_cost, p->rows, p->cols,
		p->lanes, index,
	};
	const unsigned n = p->lanes > 1 ? 32 : 24;
	uint8_t le[32];
	unsigned i;

	state_init(&l->s);
	for (i = 0; i < n; i++)
		le[i] = (uint8_t)(field[i / 4] >> 8 * (i % 4));
	l->fill = 0;
	absorb(k, l, job->password, job->passwordlen);
	absorb(k, l, job->salt, job->saltlen);
	absorb(k, l, le, n);
	memset(l->in + l->fill, 0, sizeof(l->in) - l->fill);
	l->in[l->fill] = 0x80;
	l->in[sizeof(l->in) - 1] ^= 0x01;
	absorb_block(k, l);
}

/* ---- one row: a sweep over its columns ---- */

/* Squeezes row 0, right to left, and permutes after the last block as well. */
CORE void fill_row0(struct shape k, struct lane *l, struct modulus cols)
{
	size_t at = COLUMN * (size_t)cols.n;
	struct state s;

	state_copy(&s, &l->s);
	while (at > 0) {
		at -= COLUMN;
		block_store(k, place(k, l->slice, cols, at), rate(k, &s));
		permute_reduced(k, &s, 1);
	}
	state_copy(&l->s, &s);
}

/*
 * A column of a new row, which grows right to left: row0 = prev0 ^ rand; and
 * row1 ^= rot(rand).  full: the sweep has row1 and prev1, which is known when
 * this is compiled.
 */
CORE void fill_column(struct shape k, struct state *s, const struct sweep *r,
		      int n, bool full, struct modulus cols, size_t at)
{
	const size_t to = COLUMN * (size_t)cols.n - COLUMN - at;
	struct block old[4], x[4];

	EACH(n, prefetch(place(k, r[i].row0, cols, to - CORE_AHEAD)));
	EACH(n, old[i] = x[i] = block_at(k, r[i].prev0, cols, at));
	if (full || r[0].prev1)
		EACH(n, x[i] = block_add(x[i], block_at(k, r[i].prev1, cols,
							at)));
	if (full || r[0].row1) {
		EACH(n, prefetch(place(k, r[i].row1, cols, at + CORE_AHEAD)));
		EACH(n, x[i] = block_add(x[i], block_at(k, r[i].row1, cols,
							at)));
	}
	duplex(k, s, x, n);
	EACH(n, block_store(k, place(k, r[i].row0, cols, to),
			    block_xor(old[i], x[i])));
	if (full || r[0].row1)
		EACH(n, block_xor_to(k, place(k, r[i].row1, cols, at),
				     block_rotate(k, x[i])));
}

/* Several lanes: each writes its row0 and reads row1 of any. */
CORE void wander_column(struct shape k, struct state *s, const struct sweep *r,
			int n, struct modulus cols, size_t at,
			struct next *next)
{
	struct block old[4], x[4];

	EACH(n, prefetch(place(k, r[i].row0, cols, at + CORE_AHEAD)));
	EACH(n, prefetch(place(k, r[i].row1, cols, at + CORE_AHEAD)));
	if (!looks_ahead(k, n))
		EACH(n, next[i] = next_columns(k, &s[i], cols));
	EACH(n, old[i] = block_at(k, r[i].row0, cols, at));
	EACH(n, x[i] = block_add(old[i], block_at(k, r[i].row1, cols, at)));
	EACH(n, x[i] = block_add(x[i], block_at(k, r[i].prev0, cols,
						next[i].col1)));
	duplex_next(k, s, x, n, cols, next);
	EACH(n, block_store(k, place(k, r[i].row0, cols, at),
			    block_xor(old[i], x[i])));
}

enum phase { FIRST_ROWS, SETUP, WANDERING };

/* Fetches the columns that no column before them fetches. */
CORE void prefetch_first(struct shape k, uint64_t *start, struct modulus cols)
{
	size_t at;

	for (at = 0; at < CORE_AHEAD; at += COLUMN)
		prefetch(place(k, start, cols, at));
}

/* A row in each of n lanes. */
CORE void sweep_row(struct shape k, enum phase phase, struct lane *l, int n,
		    struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct state s[4];
	struct sweep r[4];
	struct next next[4];
	size_t at;

	EACH(n, state_copy(&s[i], &l[i].s));
	EACH(n, r[i] = l[i].sweep);
	if (phase == WANDERING) {
		EACH(n, prefetch_first(k, r[i].row0, cols));
		EACH(n, prefetch_first(k, r[i].row1, cols));
		EACH(n, next[i] = next_columns(k, &s[i], cols));
	}
	for (at = 0; at < end; at += COLUMN)
		if (phase == WANDERING)
			wander_column(k, s, r, n, cols, at, next);
		else
			fill_column(k, s, r, n, phase == SETUP, cols, at);
	EACH(n, state_copy(&l[i].s, &s[i]));
}

/* One lane writes both rows.  Returns the last column of prev0. */
CORE size_t wander_row(struct shape k, struct state *state,
		       const struct sweep *sweep, struct modulus cols)
{
	const size_t end = COLUMN * (size_t)cols.n;
	struct state s;
	const struct sweep r = *sweep;
	const struct place prev0 = place_any(r.prev0, cols);
	const struct place prev1 = place_any(r.prev1, cols);
	struct next next;
	size_t at, last = 0;

	state_copy(&s, state);
	next = next_columns(k, &s, cols);
	for (at = 0; at < end; at += COLUMN) {
		const struct place row0 = place(k, r.row0, cols, at);
		const struct place row1 = place(k, r.row1, cols, at);
		struct block x;

		prefetch(place(k, r.row0, cols, at + CORE_AHEAD));
		prefetch(place(k, r.row1, cols, at + CORE_AHEAD));
		if (!looks_ahead(k, 1))
			next = next_columns(k, &s, cols);
		last = next.col0;
		/* The operand that is ready last comes last. */
		x = block_add(block_load(k, row0), block_load(k, row1));
		x = block_add(block_fix(x),
			      block_load(k, place_at(k, prev0, next.col0)));
		x = block_add(block_fix(x),
			      block_load(k, place_at(k, prev1, next.col1)));
		duplex_next(k, &s, &x, 1, cols, &next);
		block_xor_to(k, row0, x);
		block_xor_to(k, row1, block_rotate(k, x));
	}
	state_copy(state, &s);
	return last;
}

/* How many of the lanes left advance at once; CORE_ANY() has all others. */
CORE uint32_t together(struct shape k, enum phase phase, uint32_t left)
{
	if (!KERNELS_RAW)	/* then no lane is left over */
		return phase == WANDERING || left > 1 ? k.together : 1;
	if (left >= 4 && k.together >= 4)
		return 4;
	return left >= 2 && k.together >= 2 ? 2 : 1;
}

/* One row in each lane */
CORE void sweep_lanes(struct shape k, enum phase phase, struct lane *lane,
		      uint32_t lanes, struct modulus cols)
{
	uint32_t i, n;

	for (i = 0; i < lanes; i += n) {
		n = together(k, phase, lanes - i);
		if (n == 4)
			sweep_row(k, phase, &lane[i], 4, cols);
		else if (n == 2)
			sweep_row(k, phase, &lane[i], 2, cols);
		else
			sweep_row(k, phase, &lane[i], 1, cols);
	}
}

/* ---- setup ---- */

/* What precedes the loop of setup: the sponge, and rows 0, 1 and 2. */
CORE_ONCE void begin(const struct lyra2_job *job, struct lane *l,
		     uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const struct shape k = CORE_ANY(job);
	const size_t len = (size_t)p->cols * k.words;
	const struct modulus cols = modulus(p->cols);
	uint64_t *m = job->matrix + index * (p->rows / p->lanes) * len;

	bootstrap(k, job, l, index);
	l->slice = m;
	fill_row0(k, l, cols);
	l->sweep = (struct sweep){ m + len, NULL, m, NULL };
	sweep_row(k, FIRST_ROWS, l, 1, cols);
	l->sweep = (struct sweep){ m + 2 * len, CORE_IS_25(p) ? m : NULL,
				   m + len, NULL };
	sweep_row(k, FIRST_ROWS, l, 1, cols);
}

/* The rows that setup visits again: a window that doubles, round by round. */
struct window {
	uint32_t row1, prev1, wnd, stp, sqrt, gap;
};

CORE void window_next(const struct lyra2_params *p, struct window *w)
{
	w->prev1 = w->row1;
	w->row1 = (uint32_t)(((uint64_t)w->row1 + w->stp) % w->wnd);
	if (w->row1 != 0)
		return;
	/* gap is 1 or, mod 2^32, -1. */
	w->stp = (CORE_IS_25(p) ? w->wnd : w->sqrt) + w->gap;
	w->gap = -w->gap;
	w->wnd *= 2;
	if (w->gap != 1)
		w->sqrt *= 2;
}

/* The sweep of each lane for a new row0; row1 and prev1 are lane i + off's. */
CORE void setup_sweeps(struct lane *lane, uint32_t lanes, uint32_t off,
		       uint32_t row0, const struct window *w, size_t len)
{
	uint32_t i;

	for (i = 0; i < lanes; i++) {
		uint64_t *own = lane[i].slice;
		uint64_t *other = lane[(i + off) % lanes].slice;

		lane[i].sweep = (struct sweep){
			own + row0 * len, other + w->row1 * len,
			own + (row0 - 1) * len, other + w->prev1 * len,
		};
	}
}

/* Fills the rest of all slices in step; returns the paper's sqrt. */
CORE uint32_t setup(struct shape k, const struct lyra2_job *job,
		    struct lane *lane)
{
	const struct lyra2_params *p = &job->params;
	const uint32_t lanes = p->lanes, rows = p->rows / lanes;
	const size_t len = (size_t)p->cols * k.words;
	struct window w = { 1, 0, 2, 1, 2, 1 };
	uint32_t off = 0, sync = 4, row0, i;

	for (row0 = 3; row0 < rows; row0++) {
		setup_sweeps(lane, lanes, off, row0, &w, len);
		sweep_lanes(k, SETUP, lane, lanes, modulus(p->cols));
		window_next(p, &w);
		if (row0 == sync) {
			sync += w.sqrt / 2;
			off = (off + 1) % lanes;
		}
	}
	for (i = 0; i < lanes; i++) {
		lane[i].sweep.prev0 = lane[i].slice + (rows - 1) * len;
		lane[i].sweep.prev1 = lane[i].slice + w.prev1 * len;
	}
	return w.sqrt;
}

/* ---- wandering ---- */

/* Returns the block that the wrap-up absorbs. */
CORE struct place wander_alone(struct shape k, const struct lyra2_job *job,
				  struct lane *l)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = (size_t)p->cols * k.words;
	const struct modulus cols = modulus(p->cols);
	uint64_t n = (uint64_t)p->t_cost * p->rows;
	size_t last = 0;
	struct sweep *r = &l->sweep;

	while (n-- > 0) {
		r->row0 = l->slice + lsw(k, &l->s, 0) % p->rows * len;
		r->row1 = l->slice + lsw(k, &l->s, 1) % p->rows * len;
		last = wander_row(k, &l->s, r, cols);
		r->prev0 = r->row0;
		r->prev1 = r->row1;
	}
	return place(k, r->row0, cols, CORE_IS_25(p) ? last : 0);
}

/*
 * The lanes advance in step, in any order: between two barriers of the paper's
 * threads, no lane reads a row that another writes.
 */
CORE void wander_together(struct shape k, const struct lyra2_job *job,
			  struct lane *lane, uint32_t sqrt)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = (size_t)p->cols * k.words;
	const uint32_t rows = p->rows / p->lanes, half = rows / 2;
	const uint64_t visits = (uint64_t)p->t_cost * rows;
	uint64_t visit, sync = sqrt, off0 = 0, offp = half;
	uint32_t i;

	for (visit = 0; visit < visits; visit++) {
		for (i = 0; i < p->lanes; i++) {
			struct lane *l = &lane[i];
			uint64_t r0 = off0 + row_word0(l->s.a) % half;
			uint64_t rp = offp + row_word2(l->s.a) % half;
			uint64_t j = row_word0(l->s.b) % p->lanes;

			l->sweep.row0 = l->slice + r0 * len;
			l->sweep.row1 = lane[j].slice + rp * len;
		}
		sweep_lanes(k, WANDERING, lane, p->lanes, modulus(p->cols));
		for (i = 0; i < p->lanes; i++)
			lane[i].sweep.prev0 = lane[i].sweep.row0;
		if (visit == sync) {
			sync += sqrt;
			off0 = half - off0;
			offp = half - offp;
		}
	}
}

/* ---- wrap-up ---- */

/* Adds, by exclusive or, what the lane squeezes to the key. */
CORE_ONCE void wrap_up(const struct lyra2_job *job, struct lane *l,
		       struct place last)
{
	const struct shape k = CORE_ANY(job);
	struct block x = block_load(k, last);
	size_t i = 0, j;

	l->s.a = row_xor(l->s.a, x.a);
	l->s.b = row_xor(l->s.b, x.b);
	l->s.c = row_xor(l->s.c, x.c);
	for (;;) {
		permute_full(k, &l->s);
		row_put(l->out, l->s.a);
		row_put(l->out + 4, l->s.b);
		row_put(l->out + 8, l->s.c);
		for (j = 0; j < 8 * k.words; j++) {
			job->key[i] ^= (uint8_t)(l->out[j / 8] >> 8 * (j % 8));
			if (++i == job->keylen)
				return;
		}
	}
}
