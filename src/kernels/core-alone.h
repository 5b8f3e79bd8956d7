/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps that a lane does alone: it absorbs the input, fills its row 0, and
 * squeezes its part of the key.
 */
#include <string.h>

#include "bytes.h"
#include "core-ahead.h"

/* The rows that a lane works on; row1 or prev1 is NULL while there is none. */
struct sweep {
	uint64_t *row0, *row1, *prev0, *prev1;
	size_t last;		/* offset of the last col0: any_last() */
};

/* One of the paper's threads. */
struct lane {
	struct state s;
	uint64_t *slice;	/* its part of the matrix */
	struct sweep sweep;
	uint64_t out[12];	/* the rate, before it becomes key bytes */
	uint8_t in[64];		/* a block of input */
	size_t fill;		/* bytes in the block so far */
};

static_assert(sizeof(struct lane) <= LYRA2_LANE_BYTES, "lane memory");

/* A permutation as a call: for rare use, and where code should be short */
static __attribute__((noinline)) CORE_TARGET void
permute_call(struct shape k, struct sponge *s, uint32_t rounds)
{
	any_permute(k, s, 1, rounds);
}

CORE void permute_full(struct shape k, struct state *state)
{
	struct sponge s;

	sponge_take(&s, state, state);
	permute_call(k, &s, any_rounds(k));
	sponge_give(&s, state, 0);
}

CORE struct place place(struct shape k, uint64_t *start, struct modulus cols,
			size_t offset)
{
	return any_place_at(k, place_first(start, cols), offset);
}

CORE struct block block_at(struct shape k, uint64_t *start, struct modulus cols,
			   size_t offset)
{
	return any_block_load(k, place(k, start, cols, offset));
}

CORE void block_put(struct shape k, uint64_t *start, struct modulus cols,
		    size_t offset, struct block x)
{
	any_block_store(k, place(k, start, cols, offset), x);
}

/* ---- bootstrapping: password, salt, parameters, padding ---- */

CORE row row_le(const uint8_t *p)
{
	const uint64_t w[4] = { bytes_get64(p), bytes_get64(p + 8),
				bytes_get64(p + 16), bytes_get64(p + 24) };

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

/* ---- row 0 ---- */

/* Squeezes row 0 from right to left; also permutes after the last block. */
CORE void fill_row0(struct shape k, struct lane *l, struct modulus cols)
{
	size_t at = COLUMN * (size_t)cols.n;
	struct sponge s;

	sponge_take(&s, &l->s, &l->s);
	while (at > 0) {
		at -= COLUMN;
		block_put(k, l->slice, cols, at, any_rate(k, rate(&s, 0)));
		permute_call(k, &s, any_rho(k));
	}
	sponge_give(&s, &l->s, 0);
}

/* ---- wrap-up ---- */

CORE_ONCE void squeeze(struct shape k, struct lane *l)
{
	permute_full(k, &l->s);
	row_put(l->out, l->s.a);
	row_put(l->out + 4, l->s.b);
	row_put(l->out + 8, l->s.c);
}

CORE void key_add(uint8_t *key, const uint64_t *out, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		key[i] ^= (uint8_t)(out[i / 8] >> 8 * (i % 8));
}

/* Xors the bytes that the lane squeezes into the key. */
CORE void wrap_up_lane(struct shape k, const struct lyra2_job *job,
		       struct lane *l)
{
	const struct block last = block_at(k, l->sweep.row0,
					   any_modulus(k, job->params.cols),
					   any_last(k, l->sweep.last));
	const size_t most = 8 * any_row_words(k, 1);
	uint8_t *key = job->key;
	size_t left, n;

	l->s.a = row_xor(l->s.a, last.a);
	l->s.b = row_xor(l->s.b, last.b);
	l->s.c = row_xor(l->s.c, last.c);
	for (left = job->keylen; left > 0; left -= n) {
		n = left < most ? left : most;
		squeeze(k, l);
		key_add(key, l->out, n);
		key += n;
	}
}
