/* SPDX-License-Identifier: BSD-2-Clause */
/* The blocks of 12 words that the sponge reads and writes: where they lie. */
#include "core-shape.h"

/* A block of the matrix */
struct block {
	row a, b, c;
};

/* Where the rows of a block lie: words 0 to 3, 4 to 7, and the others. */
struct place {
	uint64_t *a, *b, *c;
};

/* Each column adds this to an offset in a row, which place_at() multiplies. */
enum { COLUMN = 16 };

/*
 * Returns the place of the first block in a row of the matrix.  A split row
 * holds words 0 to 7 of all columns and then the others, so that an offset
 * becomes an address without a multiplication.  In a row that is not split, one
 * block follows another.
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

/*
 * Returns the place of a block: words 0 to 7 lie ab bytes behind the first
 * block's, and the others c bytes.
 */
CORE struct place place_moved(struct place first, size_t ab, size_t c)
{
	uint64_t *a = move(first.a, ab);

	return (struct place){ a, CORE_APART ? move(first.b, ab) : a + 4,
			       move(first.c, c) };
}

/* Returns the place of the block at this offset. */
CORE struct place place_at(struct place first, size_t offset)
{
	return place_moved(first, (ROW_SPLIT ? 4 : 6) * offset,
			   (ROW_SPLIT ? 2 : 6) * offset);
}

/*
 * place_first() for columns in any order.  Without the asm, gcc 12 computes the
 * address of words 4 to 7 from that of words 0 to 3.  That delays both loads by
 * a cycle.
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
