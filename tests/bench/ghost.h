/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ghost is the memory traffic of a hash without its sponge.  As many bytes
 * are mapped, faulted in, read, written and wiped, in the same pattern.
 * Nothing is computed, and rows and columns are drawn so that no read waits for
 * another one.  No hash is faster.
 */
#include <stdbool.h>

#include "matrix.h"
#include "params.h"

enum { COLS = 256, AHEAD = 5 };

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))
#else
#define WIDE
#endif

/* A block, as a kernel with 256-bit registers moves it. */
typedef uint64_t quarter __attribute__((vector_size(32), aligned(32)));
struct block {
	quarter a, b, c;
};

struct visit {
	struct block *row0, *row1, *prev0, *prev1;
};

WIDE static inline uint64_t draw(uint64_t *seed, uint64_t n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1;
	return (*seed >> 33) % n;
}

WIDE static inline void fetch(const struct block *at)
{
	__builtin_prefetch(at, 1);
	__builtin_prefetch(&at->c, 1);
}

WIDE static inline void read_block(struct block *x, const struct block *from)
{
	x->a += from->a;
	x->b += from->b;
	x->c += from->c;
}

/*
 * In setup, row0 is written from right to left, and prev0 and prev1 are read in
 * order.  In wandering, row0 is read, too; only a single lane reads prev1 and
 * writes row1.
 */
WIDE static inline void sweep(const struct visit *v, uint32_t lanes,
			 bool filling, uint64_t *seed)
{
	const bool both = filling || lanes == 1;
	size_t at, to;
	uint32_t i;

	for (at = 0; at < COLS; at++)
		for (i = 0; i < lanes; i++) {
			struct block x = v[i].row1[at];

			to = filling ? COLS - 1 - at : at;
			fetch(&v[i].row0[filling ? to - AHEAD : to + AHEAD]);
			fetch(&v[i].row1[at + AHEAD]);
			if (!filling)
				read_block(&x, &v[i].row0[at]);
			read_block(&x, &v[i].prev0[filling ? at :
						   draw(seed, COLS)]);
			if (both)
				read_block(&x, &v[i].prev1[filling ? at :
							   draw(seed, COLS)]);
			v[i].row0[to] = x;
			if (both)
				v[i].row1[at] = x;
		}
}

WIDE static void move(struct block *m, const struct lyra2_params *p)
{
	const uint32_t lanes = p->lanes, rows = p->rows / lanes;
	const uint32_t end = (p->t_cost + 1) * rows;
	const uint64_t half = lanes > 1 ? rows / 2 : rows;
	struct visit v[4];
	uint64_t seed = 1, row, row0, row1, lane;
	uint32_t i;

	for (i = 0; i < lanes; i++)
		v[i].row0 = v[i].row1 = m + i * rows * COLS;
	for (row = 0; row < end; row++) {
		for (i = 0; i < lanes; i++) {
			row0 = row < rows ? row : draw(&seed, half);
			row1 = row < rows ? draw(&seed, row + 1) :
					    rows - half + draw(&seed, half);
			lane = row < rows ? i : draw(&seed, lanes);
			v[i].prev0 = v[i].row0;
			v[i].prev1 = v[i].row1;
			v[i].row0 = m + (i * rows + row0) * COLS;
			v[i].row1 = m + (lane * rows + row1) * COLS;
		}
		sweep(v, lanes, row < rows, &seed);
	}
}

/* For 256 columns and 1, 2 or 4 lanes.  Returns 0, or -1 with errno. */
static int ghost(const struct lyra2_params *p)
{
	const uint64_t size = params_matrix(p);
	struct matrix m = { NULL, 0 };

	if (matrix_map(&m, size) < 0)
		return -1;
	move(m.base, p);
	matrix_wipe(&m, size);
	matrix_unmap(&m);
	return 0;
}
