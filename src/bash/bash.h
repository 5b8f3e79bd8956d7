/* SPDX-License-Identifier: BSD-2-Clause */
/* bash256, a hash of STB 34.101.77-2020, and HMAC of RFC 2104 with it. */
#ifndef LYRA2_BASH_H
#define LYRA2_BASH_H

#include <stddef.h>
#include <stdint.h>

#include "core.h"

enum {
	BASH_WORDS = 24,	/* words of state */
	BASH256 = 32,		/* bytes of hash */
	BASH256_BLOCK = 128,	/* bytes of input that one bash-f takes */
};

/*
 * A kernel: for each of n blocks it replaces the first 16 words of the state
 * with the block and applies bash-f.  bash_place() gives the order of the
 * state's words.
 */
typedef void bash_blocks_fn(uint64_t *state, const uint8_t *p, size_t n);

/* The index in a kernel's state of word i of the standard's state. */
static inline unsigned bash_place(unsigned i)
{
	static const uint8_t place[8] = { 1, 0, 4, 6, 2, 3, 7, 5 };

	return (i & ~7U) + place[i & 7];
}

/* A hash being computed.  It holds secrets if its input is secret. */
struct bash {
	uint64_t state[BASH_WORDS];
	uint8_t in[BASH256_BLOCK];	/* a block of input */
	size_t fill;			/* bytes in the block so far */
	bash_blocks_fn *blocks;
};

LYRA2_INTERNAL void bash_start(struct bash *h, bash_blocks_fn *blocks);

/* Adds n bytes of input. */
LYRA2_INTERNAL void bash_add(struct bash *h, const void *input, size_t n);

/* Writes the hash, and wipes *h. */
LYRA2_INTERNAL void bash_end(struct bash *h, uint8_t *hash);

/* HMAC-bash256 of n bytes of input under a key of BASH256 bytes */
LYRA2_INTERNAL void bash_hmac(bash_blocks_fn *blocks, const uint8_t *key,
			      const void *input, size_t n, uint8_t *mac);

#endif
