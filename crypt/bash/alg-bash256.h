/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The outer hash of bash-lyra2: bash256 of STB 34.101.77-2020, and HMAC (RFC
 * 2104) with it.
 */
#ifndef ALG_BASH256_H
#define ALG_BASH256_H

#include <stddef.h>
#include <stdint.h>

enum
{
  BASH_WORDS = 24,     /* words of state */
  BASH256 = 32,        /* bytes of hash */
  BASH256_BLOCK = 128, /* bytes of input that one bash-f takes */
};

/* A kernel: for each of n blocks at p, the block replaces the first 16 words
   of the state, and bash-f is applied.  */
typedef void bash_blocks_fn (uint64_t *state, const uint8_t *p, size_t n);

/* The hash of n bytes */
extern void bash256 (const void *input, size_t n, uint8_t *hash);

/* HMAC of n bytes under a key of BASH256 bytes; mac may be key or input.  */
extern void bash256_hmac (const uint8_t *key, const void *input, size_t n,
                          uint8_t *mac);

#endif
