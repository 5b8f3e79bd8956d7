/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A block, which is a cell of the matrix: 12 words, the rate of the sponge.
 * Where blocks lie in memory, and how they are added, xored and rotated.
 */
#include <stddef.h>
#include <stdint.h>

/* In registers */
struct block {
	vec a, b, c;
};

/*
 * A row of the matrix.  It holds words 0 to 7 of all its blocks, and then words
 * 8 to 11 of all.  So an offset becomes an address without a multiplication by
 * 96.  a, b and c point to words 0, 4 and 8 of the first block.
 */
struct row {
	uint64_t *a, *b, *c;
};

/*
 * An offset in a row says which block is meant: 16 times its column.  Then 4
 * and 2 times the offset are the bytes to its words, and x86 multiplies by 4
 * and 2 in an address.
 */
enum { COLUMN = 16 };

/* Returns the row that starts there. */
CORE struct row row_at(uint64_t *start, uint64_t cols)
{
	return (struct row){ start, start + 4, start + 8 * cols };
}

/* Offsets that count down are negative, modulo SIZE_MAX + 1. */
CORE uint64_t *move(uint64_t *p, size_t bytes)
{
	return (void *)((uint8_t *)p + (ptrdiff_t)bytes);
}

CORE struct block block_load(struct row r, size_t at)
{
	return (struct block){ vec_load(move(r.a, 4 * at)),
			       vec_load(move(r.b, 4 * at)),
			       vec_load(move(r.c, 2 * at)) };
}

CORE void block_store(struct row r, size_t at, struct block x)
{
	vec_store(move(r.a, 4 * at), x.a);
	vec_store(move(r.b, 4 * at), x.b);
	vec_store(move(r.c, 2 * at), x.c);
}

CORE void block_xor_to(struct row r, size_t at, struct block x)
{
	vec_xor_to(move(r.a, 4 * at), x.a);
	vec_xor_to(move(r.b, 4 * at), x.b);
	vec_xor_to(move(r.c, 2 * at), x.c);
}

/*
 * Fetches the cache lines of a block that is needed soon, and that most often
 * is written then.  A block outside the row, or the matrix, does no harm.
 */
CORE void block_fetch(struct row r, size_t at)
{
	__builtin_prefetch(move(r.a, 4 * at), 1);
	__builtin_prefetch(move(r.c, 2 * at), 1);
}

CORE struct block block_add(struct block x, struct block y)
{
	return (struct block){ vec_add(x.a, y.a), vec_add(x.b, y.b),
			       vec_add(x.c, y.c) };
}

CORE struct block block_xor(struct block x, struct block y)
{
	return (struct block){ vec_xor(x.a, y.a), vec_xor(x.b, y.b),
			       vec_xor(x.c, y.c) };
}

/* x + y, where y is ready last: the sum x is not regrouped with y. */
CORE struct block block_add_late(struct block x, struct block y)
{
	x = (struct block){ vec_fix(x.a), vec_fix(x.b), vec_fix(x.c) };
	return block_add(x, y);
}

/* rot(): word j of the result is word (j + CORE_ROTATION / 64) mod 12 of x. */
CORE struct block block_rotate(struct block x)
{
	if (CORE_ROTATION == 256)
		return (struct block){ x.b, x.c, x.a };
	return (struct block){ vec_join(x.a, x.b), vec_join(x.b, x.c),
			       vec_join(x.c, x.a) };
}
