/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a lane does alone, a few times in a hash: it absorbs the input, fills
 * its first three rows, and squeezes its part of the key.
 */
#include <string.h>

#include "bytes.h"
#include "core-ahead.h"

/* Where the rows start that a lane works on */
struct sweep {
	uint64_t *row0, *row1, *prev0, *prev1;
	size_t last;		/* version 2.5: offset of the last col0 */
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

/* A round as a call: short code where speed does not matter */
CORE_ONCE void permute_call(struct state *s)
{
	permute(s, 1);
}

CORE_ONCE void permute_full(struct state *s)
{
	int round;

	for (round = 0; round < 12; round++)
		permute_call(s);
}

/* ---- bootstrapping: password, salt, parameters, padding ---- */

CORE vec vec_le(const uint8_t *p)
{
	const uint64_t w[4] = { bytes_get64(p), bytes_get64(p + 8),
				bytes_get64(p + 16), bytes_get64(p + 24) };

	return vec_get(w);
}

/* A block of input has 64 bytes; a block of the matrix has 96. */
CORE_ONCE void input_absorb(struct lane *l)
{
	l->s.a = vec_xor(l->s.a, vec_le(l->in));
	l->s.b = vec_xor(l->s.b, vec_le(l->in + 32));
	permute_full(&l->s);
	l->fill = 0;
}

CORE_ONCE void input_add(struct lane *l, const uint8_t *p, size_t n)
{
	while (n > 0) {
		size_t room = sizeof(l->in) - l->fill;
		size_t m = n < room ? n : room;

		memcpy(l->in + l->fill, p, m);
		l->fill += m;
		p += m;
		n -= m;
		if (l->fill == sizeof(l->in))
			input_absorb(l);
	}
}

CORE void bootstrap(const struct lyra2_job *job, struct lane *l, uint32_t index)
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
	input_add(l, job->password, job->passwordlen);
	input_add(l, job->salt, job->saltlen);
	input_add(l, le, n);
	memset(l->in + l->fill, 0, sizeof(l->in) - l->fill);
	l->in[l->fill] = 0x80;
	l->in[sizeof(l->in) - 1] ^= 0x01;
	input_absorb(l);
}

/* ---- the first rows.  A new row is filled from right to left. ---- */

/* Squeezes row 0; also permutes after the last block. */
CORE void fill_row0(struct lane *l, struct row row0, size_t end)
{
	size_t to;

	for (to = end; to > 0; to -= COLUMN) {
		block_store(row0, to - COLUMN, rate(&l->s));
		permute_call(&l->s);
	}
}

/*
 * Fills row 1 or 2, here row0, from the row before, here prev0.  In version
 * 2.5, row 2 also has a row1, which is row 0.
 */
CORE void fill_early(struct lane *l, struct row row0, const struct row *row1,
		     struct row prev0, size_t end)
{
	struct block old, x;
	size_t at;

	for (at = 0; at < end; at += COLUMN) {
		x = old = block_load(prev0, at);
		if (row1)
			x = block_add(x, block_load(*row1, at));
		absorb(&l->s, x);
		permute_call(&l->s);
		x = rate(&l->s);
		block_store(row0, end - COLUMN - at, block_xor(old, x));
		if (row1)
			block_xor_to(*row1, at, block_rotate(x));
	}
}

/* ---- wrap-up ---- */

CORE_ONCE void squeeze(struct lane *l)
{
	permute_full(&l->s);
	vec_put(l->out, l->s.a);
	vec_put(l->out + 4, l->s.b);
	vec_put(l->out + 8, l->s.c);
}

CORE void key_add(uint8_t *key, const uint64_t *out, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		key[i] ^= (uint8_t)(out[i / 8] >> 8 * (i % 8));
}

/* Xors the bytes that the lane squeezes into the key. */
CORE void wrap_up_lane(const struct lyra2_job *job, struct lane *l)
{
	const struct row row0 = row_at(l->sweep.row0, job->params.cols);
	const size_t last = CORE_VERSION == 25 ? l->sweep.last : 0;
	uint8_t *key = job->key;
	size_t left, n;

	absorb(&l->s, block_load(row0, last));
	for (left = job->keylen; left > 0; left -= n) {
		n = left < sizeof(l->out) ? left : sizeof(l->out);
		squeeze(l);
		key_add(key, l->out, n);
		key += n;
	}
}
