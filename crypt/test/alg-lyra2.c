/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alg-lyra2.c - known answers on every kernel that this CPU can run, and what
 * crypt(3) itself never asks of the method.  They were made by an independent
 * implementation in Python, which agrees with the authors' reference code.
 */
#include "crypt-port.h"

#if INCLUDE_lyra2

#include "../lib/crypt-lyra2.c"

#include <stdio.h>

static const struct answer
{
  const char *name, *setting, *hash;
} known[] = {
  { "one lane", "$lyra2$t2n4c12p1$MJHnaAkegEVYHsFKkmfzJ1",
    "$fWbmYuCAW.eZtCxkVCAJx1NAi82ZklXI69GxsIXW7EA" },
  { "two lanes", "$lyra2$t3n5c13p2$MJHnaAkegEVYHsFKkmfzJ1",
    "$TOX4TnmdeJh1bYaNBgoQqJnZfa4g/m4P1Q0Z7kGP/uw" },
  { "four lanes", "$lyra2$t2n6c12p4$MJHnaAkegEVYHsFKkmfzJ1",
    "$B37zgZ6nf2bEOkLNUcvbdLe5.Ttaldiq5/DFs8c1bPM" },
  { "bash_lyra2", "$bashlyra2$t2n4c12p2$MJHnaAkegEVYHsFKkmfzJ1",
    "$rb8rv0vegdyMBAsdI20aJN4zHUziAPYRG.aXnHdOtzE" },
};

static int
check_answer (struct lyra2_ctx *ctx, const char *kernel,
              const struct answer *answer)
{
  char got[LYRA2_MAX_STRING];
  size_t n = strlen (answer->setting);

  if (lyra2_crypt (ctx, answer->setting, "password", 8, got, sizeof (got))
          == 0
      && strncmp (got, answer->setting, n) == 0
      && strcmp (got + n, answer->hash) == 0)
    return 0;
  printf ("FAIL: %s on %s: expected %s%s, got %s\n", answer->name, kernel,
          answer->setting, answer->hash, got);
  return 1;
}

/* A byte less for the output, or for scratch, is too little. */
static int
check_room (void)
{
  static const char setting[] = "$lyra2$t2n4c12p1$saltsalt";
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
  int failed = check_room (), usable;

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
