/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lyra2, versions 2.5 and 3: the one text that every kernel compiles over its
 * own row of four 64-bit words (row-*.h).  Names are the paper's.  Rows of
 * the matrix may be one and the same wherever two are named: each sweep loads
 * again after it has stored.
 */
#include <assert.h>
#include <string.h>

/* The sponge: v[0..3], v[4..7], v[8..11], v[12..15]. */
struct state {
	row a, b, c, d;
};

/* A block of the matrix; words past its length are 0. */
struct block {
	row a, b, c;
};

/* What sets one Lyra2 apart from another: constants where speed counts. */
struct shape {
	uint32_t sponge, rotation, words, rho;
	uint32_t together;	/* lanes that advance at once, at most */
};

/* The rows that one lane works on; the first fills lack row1 or prev1. */
struct sweep {
	uint64_t *row0, *row1;
	const uint64_t *prev0, *prev1;
};

/* A thread of the paper's Lyra2p, or the only one. */
struct lane {
	struct state s;
	uint64_t *slice;	/* its part of the matrix */
	struct sweep sweep;
	uint64_t out[12];	/* the rate, on its way to the key */
	uint8_t in[64];		/* a block of input being filled */
	size_t fill;
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

/* ---- the sponge (LYRA2 paper, section 3; BLAKE2b, RFC 7693, 3.1) ---- */

/* For n lanes: a row may have a shorter chain for one that waits for it. */
CORE row mix(struct shape k, row x, row y, int n)
{
	return k.sponge == LYRA2_BLAKE2B ? row_add(x, y) : row_blamka(x, y, n);
}

/*
 * The sponges of n lanes, 1, 2 or 4, advance instruction by instruction, so
 * that one computes while another waits for its chain.  Constant indices, for
 * only those let an array live in registers.
 */
#define EACH(n, statement) do { \
	{ enum { i = 0 }; statement; } \
	if ((n) > 1) { enum { i = 1 }; statement; } \
	if ((n) > 2) { enum { i = 2 }; statement; } \
	if ((n) > 2) { enum { i = 3 }; statement; } \
} while (0)

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
	EACH(n, s[i].b = row_ror63(row_xor(s[i].b, s[i].c)));
}

/*
 * The diagonals become columns by turning a, c and d.  Row b, the last to be
 * known, stands still, so that no turn waits for it.
 */
CORE void diagonals(struct shape k, struct state *s, int n)
{
	EACH(n, s[i].a = row_left3(s[i].a));
	EACH(n, s[i].d = row_left2(s[i].d));
	EACH(n, s[i].c = row_left1(s[i].c));
	columns(k, s, n);
	EACH(n, s[i].a = row_left1(s[i].a));
	EACH(n, s[i].d = row_left2(s[i].d));
	EACH(n, s[i].c = row_left3(s[i].c));
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
		EACH(n, s[i].c = row_left2(s[i].c));
		EACH(n, s[i].d = row_left3(s[i].d));
	}
}

/* The full permutation, for the input and the key: rare, so no copies of it */
static __attribute__((noinline)) CORE_TARGET void
permute_full(struct shape k, struct state *s)
{
	permute(k, s, 1, k.sponge == LYRA2_HALF_BLAMKA ? 24 : 12);
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

CORE struct block block_load(struct shape k, const uint64_t *p)
{
	uint64_t tail[4] = { 0, 0, 0, 0 };
	struct block x;

	x.a = row_load(p);
	x.b = row_load(p + 4);
	if (k.words == 12) {
		x.c = row_load(p + 8);
		return x;
	}
	memcpy(tail, p + 8, (k.words - 8) * sizeof(*p));
	x.c = row_get(tail);
	return x;
}

CORE void block_store(struct shape k, uint64_t *p, struct block x)
{
	uint64_t tail[4];

	row_store(p, x.a);
	row_store(p + 4, x.b);
	if (k.words == 12) {
		row_store(p + 8, x.c);
		return;
	}
	row_put(tail, x.c);
	memcpy(p + 8, tail, (k.words - 8) * sizeof(*p));
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

CORE void block_xor_to(struct shape k, uint64_t *p, struct block x)
{
	if (k.words != 12) {
		block_store(k, p, block_xor(block_load(k, p), x));
		return;
	}
	row_xor_to(p, x.a);
	row_xor_to(p + 4, x.b);
	row_xor_to(p + 8, x.c);
}

/*
 * Asks for the lines of a block that will be written: rows are walked in
 * order.  Past a row's end it does no harm.
 */
CORE void prefetch(const uint64_t *p)
{
	__builtin_prefetch(p, 1);
	__builtin_prefetch(p + CORE_LINE, 1);
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

/* Absorbs x[i] and leaves the new rate there. */
CORE void duplex(struct shape k, struct state *s, struct block *x, int n)
{
	EACH(n, s[i].a = row_xor(s[i].a, x[i].a));
	EACH(n, s[i].b = row_xor(s[i].b, x[i].b));
	EACH(n, s[i].c = row_xor(s[i].c, x[i].c));
	permute(k, s, n, k.rho);
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

/* ---- bootstrapping: password, salt, parameters and padding ---- */

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

/* The block of input is 64 bytes for every sponge and block length. */
CORE void absorb_block(struct shape k, struct lane *l)
{
	l->s.a = row_xor(l->s.a, row_le(l->in));
	l->s.b = row_xor(l->s.b, row_le(l->in + 32));
	permute_full(k, &l->s);
	l->fill = 0;
}

CORE void absorb(struct shape k, struct lane *l, const uint8_t *p, size_t n)
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

/* ---- setup ---- */

/* Row 0 is squeezed, right to left; the last block is permuted after, too. */
CORE void fill_row0(struct shape k, struct lane *l, uint32_t cols)
{
	struct state s = l->s;
	uint64_t *p = l->slice + (size_t)cols * k.words;

	while (cols-- > 0) {
		p -= k.words;
		block_store(k, p, rate(k, &s));
		permute(k, &s, 1, k.rho);
	}
	l->s = s;
}

/*
 * A new row, right to left: row0 = prev0 ^ rand; and row1 ^= rot(rand).  The
 * first fills, which lack row1 or prev1, say that they are not full.
 */
CORE void fill_row(struct shape k, struct lane *l, int n, int full,
		   uint32_t cols)
{
	const size_t step = k.words;
	struct state s[4];
	struct sweep r[4];

	EACH(n, s[i] = l[i].s);
	EACH(n, r[i] = l[i].sweep);
	EACH(n, r[i].row0 += cols * step);
	while (cols-- > 0) {
		struct block old[4], x[4];

		EACH(n, r[i].row0 -= step);
		EACH(n, prefetch(r[i].row0 - CORE_AHEAD * step));
		EACH(n, old[i] = x[i] = block_load(k, r[i].prev0));
		EACH(n, r[i].prev0 += step);
		if (full || r[0].prev1) {
			EACH(n, x[i] = block_add(x[i],
						 block_load(k, r[i].prev1)));
			EACH(n, r[i].prev1 += step);
		}
		if (full || r[0].row1) {
			EACH(n, prefetch(r[i].row1 + CORE_AHEAD * step));
			EACH(n, x[i] = block_add(x[i],
						 block_load(k, r[i].row1)));
		}
		duplex(k, s, x, n);
		EACH(n, block_store(k, r[i].row0, block_xor(old[i], x[i])));
		if (full || r[0].row1) {
			EACH(n, block_xor_to(k, r[i].row1,
					     block_rotate(k, x[i])));
			EACH(n, r[i].row1 += step);
		}
	}
	EACH(n, l[i].s = s[i]);
}

/* What comes before the loop of setup: the sponge, and rows 0, 1 and 2. */
CORE_ONCE void begin(struct shape k, const struct lyra2_job *job,
		     struct lane *l, uint32_t index)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = (size_t)p->cols * k.words;
	uint64_t *m = job->matrix + index * (p->rows / p->lanes) * len;

	bootstrap(k, job, l, index);
	l->slice = m;
	fill_row0(k, l, p->cols);
	l->sweep = (struct sweep){ m + len, NULL, m, NULL };
	fill_row(k, l, 1, 0, p->cols);
	l->sweep = (struct sweep){ m + 2 * len, p->version == 25 ? m : NULL,
				   m + len, NULL };
	fill_row(k, l, 1, 0, p->cols);
}

/* The window of rows to visit again; it doubles each time it is through. */
struct window {
	uint32_t row1, size, step, root, gap;
};

CORE void window_next(uint32_t version, struct window *w)
{
	w->row1 = (uint32_t)(((uint64_t)w->row1 + w->step) % w->size);
	if (w->row1 != 0)
		return;
	/* gap is 1 or, mod 2^32, -1. */
	w->step = (version == 25 ? w->size : w->root) + w->gap;
	w->gap = -w->gap;
	w->size *= 2;
	if (w->gap != 1)
		w->root *= 2;
}

/* How many of the lanes left advance at once */
CORE uint32_t together(struct shape k, uint32_t left)
{
	if (left >= 4 && k.together >= 4)
		return 4;
	return left >= 2 && k.together >= 2 ? 2 : 1;
}

/* Fills the rest of all slices in step; returns the paper's sqrt. */
CORE uint32_t setup(struct shape k, const struct lyra2_job *job,
		    struct lane *lane)
{
	const struct lyra2_params *p = &job->params;
	const uint32_t lanes = p->lanes, rows = p->rows / lanes;
	const size_t len = (size_t)p->cols * k.words;
	struct window w = { 1, 2, 1, 2, 1 };
	uint32_t prev0 = 2, prev1 = 0, off = 0, sync = 4, row0, i, n;

	for (row0 = 3; row0 < rows; row0++) {
		for (i = 0; i < lanes; i++) {
			uint64_t *m = lane[i].slice;
			uint64_t *q = lane[(i + off) % lanes].slice;

			lane[i].sweep = (struct sweep){
				m + row0 * len, q + w.row1 * len,
				m + prev0 * len, q + prev1 * len,
			};
		}
		for (i = 0; i < lanes; i += n) {
			n = together(k, lanes - i);
			if (n == 4)
				fill_row(k, &lane[i], 4, 1, p->cols);
			else if (n == 2)
				fill_row(k, &lane[i], 2, 1, p->cols);
			else
				fill_row(k, &lane[i], 1, 1, p->cols);
		}
		prev0 = row0;
		prev1 = w.row1;
		window_next(p->version, &w);
		if (row0 == sync) {
			sync += w.root / 2;
			off = (off + 1) % lanes;
		}
	}
	for (i = 0; i < lanes; i++) {
		lane[i].sweep.prev0 = lane[i].slice + prev0 * len;
		lane[i].sweep.prev1 = lane[i].slice + prev1 * len;
	}
	return w.root;
}

/* ---- wandering ---- */

/* One lane: both rows are written.  Returns the last column of prev0. */
CORE uint64_t wander_row(struct shape k, struct state *state,
			 const struct sweep *sweep, struct modulus cols)
{
	const size_t step = k.words;
	struct state s = *state;
	struct sweep r = *sweep;
	uint64_t c, col0 = 0, col1;

	for (c = 0; c < cols.n; c++) {
		struct block x;

		prefetch(r.row0 + CORE_AHEAD * step);
		prefetch(r.row1 + CORE_AHEAD * step);
		col0 = modulo(lsw(k, &s, 2), cols);
		col1 = modulo(lsw(k, &s, 3), cols);
		/* In the order in which the operands come to be known. */
		x = block_add(block_load(k, r.row0), block_load(k, r.row1));
		x = block_add(block_fix(x),
			      block_load(k, r.prev0 + col0 * step));
		x = block_add(block_fix(x),
			      block_load(k, r.prev1 + col1 * step));
		duplex(k, &s, &x, 1);
		block_xor_to(k, r.row0, x);
		block_xor_to(k, r.row1, block_rotate(k, x));
		r.row0 += step;
		r.row1 += step;
	}
	*state = s;
	return col0;
}

/* Returns the block that the wrap-up absorbs. */
CORE const uint64_t *wander_alone(struct shape k, const struct lyra2_job *job,
				  struct lane *l)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = (size_t)p->cols * k.words;
	const struct modulus cols = modulus(p->cols);
	uint64_t n = (uint64_t)p->t_cost * p->rows, last = 0;
	struct sweep *r = &l->sweep;

	while (n-- > 0) {
		r->row0 = l->slice + lsw(k, &l->s, 0) % p->rows * len;
		r->row1 = l->slice + lsw(k, &l->s, 1) % p->rows * len;
		last = wander_row(k, &l->s, r, cols);
		r->prev0 = r->row0;
		r->prev1 = r->row1;
	}
	return r->row0 + (p->version == 25 ? last * k.words : 0);
}

/* Several lanes: each writes its own row0, and reads another's row1. */
CORE void wander_row_lanes(struct shape k, struct lane *l, int n,
			   struct modulus cols)
{
	const size_t step = k.words;
	struct state s[4];
	struct sweep r[4];
	uint64_t c;

	EACH(n, s[i] = l[i].s);
	EACH(n, r[i] = l[i].sweep);
	for (c = 0; c < cols.n; c++) {
		struct block old[4], x[4];
		uint64_t col[4];

		EACH(n, prefetch(r[i].row0 + CORE_AHEAD * step));
		EACH(n, prefetch(r[i].row1 + CORE_AHEAD * step));
		EACH(n, col[i] = modulo(row_word2(s[i].b), cols));
		EACH(n, old[i] = block_load(k, r[i].row0));
		EACH(n, x[i] = block_add(old[i], block_load(k, r[i].row1)));
		EACH(n, x[i] = block_add(x[i], block_load(k, r[i].prev0 +
							  col[i] * step)));
		duplex(k, s, x, n);
		EACH(n, block_store(k, r[i].row0, block_xor(old[i], x[i])));
		EACH(n, r[i].row0 += step);
		EACH(n, r[i].row1 += step);
	}
	EACH(n, l[i].s = s[i]);
}

/*
 * In step, lane after lane: a row is never written by one lane and read by
 * another between two barriers of the threaded algorithm, so the order does
 * not matter.
 */
CORE void wander_together(struct shape k, const struct lyra2_job *job,
			  struct lane *lane, uint32_t root)
{
	const struct lyra2_params *p = &job->params;
	const size_t len = (size_t)p->cols * k.words;
	const struct modulus cols = modulus(p->cols);
	const uint32_t rows = p->rows / p->lanes, half = rows / 2;
	const uint64_t visits = (uint64_t)p->t_cost * rows;
	uint64_t visit, sync = root, off0 = 0, offp = half;
	uint32_t i, n;

	for (visit = 0; visit < visits; visit++) {
		for (i = 0; i < p->lanes; i++) {
			struct lane *l = &lane[i];
			uint64_t r0 = off0 + row_word0(l->s.a) % half;
			uint64_t rp = offp + row_word2(l->s.a) % half;
			uint64_t j = row_word0(l->s.b) % p->lanes;

			l->sweep.row0 = l->slice + r0 * len;
			l->sweep.row1 = lane[j].slice + rp * len;
		}
		for (i = 0; i < p->lanes; i += n) {
			n = together(k, p->lanes - i);
			if (n == 4)
				wander_row_lanes(k, &lane[i], 4, cols);
			else if (n == 2)
				wander_row_lanes(k, &lane[i], 2, cols);
			else
				wander_row_lanes(k, &lane[i], 1, cols);
		}
		for (i = 0; i < p->lanes; i++)
			lane[i].sweep.prev0 = lane[i].sweep.row0;
		if (visit == sync) {
			sync += root;
			off0 = half - off0;
			offp = half - offp;
		}
	}
}

/* ---- wrap-up ---- */

/* Adds, by exclusive or, what the lane squeezes to the key. */
CORE_ONCE void wrap_up(struct shape k, const struct lyra2_job *job,
		       struct lane *l, const uint64_t *last)
{
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

/* k is the same as any, but known when this is compiled. */
CORE void compute(struct shape k, struct shape any,
		  const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i, root;

	for (i = 0; i < job->params.lanes; i++)
		begin(any, job, &lane[i], i);
	/* Not before: the key may be written over password or salt. */
	memset(job->key, 0, job->keylen);
	root = setup(k, job, lane);
	if (job->params.lanes == 1) {
		wrap_up(any, job, lane, wander_alone(k, job, lane));
		return;
	}
	wander_together(k, job, lane, root);
	for (i = 0; i < job->params.lanes; i++)
		wrap_up(any, job, &lane[i], lane[i].sweep.row0);
}

LYRA2_INTERNAL lyra2_core_fn CORE_KERNEL;

/* The Lyra2 of strings gets code of its own; the rest shares what is left. */
CORE_TARGET void CORE_KERNEL(const struct lyra2_job *job)
{
	const struct lyra2_params *p = &job->params;
	const struct shape any = { p->sponge, p->rotation, p->block_words,
				   p->rho, 1 };
#define SHAPE(sponge) ((struct shape){ sponge, 128, 12, 1, CORE_LANES })

	if (p->rotation != 128 || p->block_words != 12 || p->rho != 1)
		compute(any, any, job);
	else if (p->sponge == LYRA2_BLAKE2B)
		compute(SHAPE(LYRA2_BLAKE2B), any, job);
	else if (p->sponge == LYRA2_BLAMKA)
		compute(SHAPE(LYRA2_BLAMKA), any, job);
	else
		compute(SHAPE(LYRA2_HALF_BLAMKA), any, job);
#undef SHAPE
}

/* Another kernel may follow: a translation unit can hold several. */
#undef CORE_KERNEL
#undef CORE_LANES
#undef EACH
#undef CORE_TARGET
