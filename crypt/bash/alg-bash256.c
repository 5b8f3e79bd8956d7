/* SPDX-License-Identifier: BSD-2-Clause */
/* bash256 of STB 34.101.77-2020, and HMAC with it. */
#include "crypt-port.h"

#if INCLUDE_bash_lyra2

#include "alg-bash256.h"

#define CORE_KERNEL bash_blocks
#define CORE_TARGET
#define LYRA2_INTERNAL static
#define BASH_COLUMNS 1
#define BASH_SHORT 0
#include "alg-lyra2-kernel.h"
#include "alg-lyra2-vec-plain.h"
#include "alg-bash256-vec-plain.h"
#include "alg-bash256-body.h"

/* The index in the kernel's state of word i of the standard's state.  */
static size_t
place (size_t i)
{
  static const uint8_t places[8] = { 1, 0, 4, 6, 2, 3, 7, 5 };

  return (i & ~(size_t)7) + places[i & 7];
}

/* Hashes the block FIRST, unless FIRST is NULL, and then N bytes of INPUT.  */
static void
hash_after (const uint8_t *first, const void *input, size_t n, uint8_t *hash)
{
  const size_t rest = n % BASH256_BLOCK;
  uint64_t state[BASH_WORDS] = { 0 };
  uint8_t last[BASH256_BLOCK] = { 0 };

  state[place (BASH_WORDS - 1)] = BASH256;
  if (first)
    bash_blocks (state, first, 1);
  bash_blocks (state, input, n / BASH256_BLOCK);
  memcpy (last, (const uint8_t *)input + (n - rest), rest);
  last[rest] = 0x40;
  bash_blocks (state, last, 1);
  for (size_t i = 0; i < BASH256 / 8; i++)
    cpu_to_le64 (hash + 8 * i, state[place (i)]);
  explicit_bzero (state, sizeof (state));
  explicit_bzero (last, sizeof (last));
}

void
bash256 (const void *input, size_t n, uint8_t *hash)
{
  hash_after (NULL, input, n, hash);
}

void
bash256_hmac (const uint8_t *key, const void *input, size_t n, uint8_t *mac)
{
  uint8_t pad[BASH256_BLOCK];
  size_t i;

  memset (pad, 0x36, sizeof (pad));
  for (i = 0; i < BASH256; i++)
    pad[i] ^= key[i];
  hash_after (pad, input, n, mac);
  for (i = 0; i < sizeof (pad); i++)
    pad[i] ^= 0x36 ^ 0x5c;
  hash_after (pad, mac, BASH256, mac);
  explicit_bzero (pad, sizeof (pad));
}

#endif /* INCLUDE_bash_lyra2 */
