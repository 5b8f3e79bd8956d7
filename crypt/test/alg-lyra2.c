/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alg-lyra2.c - known answers for every Lyra2 that a setting can name, on
 * every kernel that this CPU can run, and what crypt(3) itself never asks of
 * the method.  The keys were made by the authors' reference code and by an
 * independent implementation of version 2.5.
 */
#include "crypt-port.h"

#if INCLUDE_lyra2

#include "../lib/crypt-lyra2.c"

#include <stdio.h>

#define KEY_SIZE 32

struct answer
{
  const char *name;
  uint32_t version, sponge, rows, lanes;
  const char *key;
};

static const struct answer known[] = {
  { "2.5, blake2b", 25, LYRA2_BLAKE2B, 5, 1,
    "28050f51379d0c2d7d51f4f5eba12d61e447182b6c6129abcd6b4d8ce71f559c" },
  { "3, blake2b", 30, LYRA2_BLAKE2B, 5, 1,
    "4476dd7ecc78c70c1ec89ea6ee92e039065f9185c0998e6d912fe15073482fd7" },
  { "3, blamka", 30, LYRA2_BLAMKA, 5, 1,
    "2ececbd66053b5a0e87cd003fc1ba78deca22cc60247790e246fa55d7f39ae4c" },
  { "3, blamka, two lanes", 30, LYRA2_BLAMKA, 8, 2,
    "c9372050afc840b45dc400b38ada619e3f0239a164ad9dbb8187c5bd4f445793" },
};

static void
to_hex (const uint8_t *key, char *hex)
{
  for (size_t i = 0; i < KEY_SIZE; i++)
    snprintf (hex + 2 * i, 3, "%02x", key[i]);
}

static int
check_answer (struct lyra2_ctx *ctx, const char *kernel,
              const struct answer *answer)
{
  struct lyra2_params params;
  uint8_t key[KEY_SIZE];
  char hex[2 * KEY_SIZE + 1] = "an error";

  lyra2_params_init (&params);
  params.version = answer->version;
  params.sponge = answer->sponge;
  params.t_cost = 1;
  params.rows = answer->rows;
  params.cols = 3;
  params.lanes = answer->lanes;
  if (lyra2_kdf (ctx, &params, "password", 8, "saltsalt", 8, key, sizeof (key))
      == 0)
    to_hex (key, hex);
  if (strcmp (hex, answer->key) == 0)
    return 0;
  printf ("FAIL: %s on %s: expected %s, got %s\n", answer->name, kernel,
          answer->key, hex);
  return 1;
}

/* Functions that no setting can name are not compiled in: each is refused. */
static int
check_refusals (void)
{
  uint8_t key[KEY_SIZE];
  int failed = 0;

  for (int i = 0; i < 4; i++)
    {
      struct lyra2_params params;

      lyra2_params_init (&params);
      params.rotation = i == 0 ? 256 : 128;
      params.sponge = i == 1 ? LYRA2_HALF_BLAMKA : LYRA2_BLAMKA;
      params.block_words = i == 2 ? 8 : 12;
      params.rho = i == 3 ? 2 : 1;
      if (lyra2_kdf (NULL, &params, "", 0, "", 0, key, 1) == -1
          && errno == EINVAL)
        continue;
      printf ("FAIL: function %d is not refused\n", i);
      failed = 1;
    }
  return failed;
}

/* A byte less for the output, or for scratch, is too little. */
static int
check_room (void)
{
  static const char setting[] = "$lyra2$v=30$t=1$r=3$c=1$saltsalt";
  char scratch[LYRA2_MAX_STRING], output[LYRA2_MAX_STRING] = "*0";
  int failed = 0;

  for (size_t i = 0; i < 2; i++)
    {
      errno = 0;
      crypt_lyra2_rn ("pw", 2, setting, sizeof (setting) - 1,
                      (uint8_t *)output, sizeof (output) - i, scratch,
                      sizeof (scratch) - (1 - i));
      if (errno == ERANGE && strcmp (output, "*0") == 0)
        continue;
      printf ("FAIL: too little room, %zu: %s\n", i, output);
      failed = 1;
    }
  return failed;
}

static int
check_kernel (const char *kernel)
{
  struct lyra2_ctx *ctx = lyra2_ctx_new ();
  int failed = 0;

  if (!ctx || lyra2_ctx_set_kernel (ctx, kernel))
    {
      printf ("FAIL: %s cannot be used\n", kernel);
      failed = 1;
      goto out;
    }
  for (size_t i = 0; i < ARRAY_SIZE (known); i++)
    failed |= check_answer (ctx, kernel, &known[i]);
  printf ("%s: %zu answers checked\n", kernel, ARRAY_SIZE (known));
out:
  lyra2_ctx_free (ctx);
  return failed;
}

int
main (void)
{
  const char *kernel;
  int failed = check_refusals () | check_room (), usable;

  for (size_t i = 0; (kernel = lyra2_kernel_at (i, &usable)); i++)
    if (usable)
      failed |= check_kernel (kernel);
    else
      printf ("%s: not on this CPU\n", kernel);
  return failed;
}

#else

int
main (void)
{
  return 77; /* the method is not built in */
}

#endif
