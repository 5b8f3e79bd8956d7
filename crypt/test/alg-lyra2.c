/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alg-lyra2.c - known answers on every kernel that this CPU can run.  They
 * were made by an independent implementation in Python, which agrees with the
 * authors' reference code.
 */
#include "crypt-port.h"

#if INCLUDE_lyra2

#include "../lib/alg-lyra2.h"

#include <stdio.h>
#include <stdlib.h>

static const struct answer
{
  const char *name, *setting, *hash;
} known[] = {
  { "one lane", "$lyra2$t2n4c12p1$MJHnaAkegEVYHsFKkmfzJ1",
    "fWbmYuCAW.eZtCxkVCAJx1NAi82ZklXI69GxsIXW7EA" },
  { "two lanes", "$lyra2$t3n5c13p2$MJHnaAkegEVYHsFKkmfzJ1",
    "TOX4TnmdeJh1bYaNBgoQqJnZfa4g/m4P1Q0Z7kGP/uw" },
  { "four lanes", "$lyra2$t2n6c12p4$MJHnaAkegEVYHsFKkmfzJ1",
    "B37zgZ6nf2bEOkLNUcvbdLe5.Ttaldiq5/DFs8c1bPM" },
};

/* The largest matrix above, and four lanes, aligned to 64.  */
#define MATRIX ((size_t)64 * 12 * 96)
static uint64_t memory[(MATRIX + 4 * LYRA2_LANE_BYTES + 64) / 8];

static int
check_answer (const char *kernel, lyra2_core_fn *core,
              const struct answer *answer)
{
  char *start = (char *)memory + (-(uintptr_t)memory & 63);
  char got[BASE64_LEN (LYRA2_HASH_BYTES) + 1];
  uint8_t key[LYRA2_HASH_BYTES];
  struct lyra2_job job;
  const char *end;

  if (!lyra2_decode (&job, "$lyra2$", answer->setting, &end) || *end)
    {
      printf ("FAIL: %s is no setting\n", answer->setting);
      return 1;
    }
  job.password = (const uint8_t *)"password";
  job.passwordlen = 8;
  job.matrix = (void *)start;
  job.lanes = start + MATRIX;
  job.key = key;
  job.keylen = sizeof (key);
  core (&job);
  lyra2_encode (key, sizeof (key), got);
  printf ("%s: %s, %s\n", strcmp (got, answer->hash) ? "FAIL" : "PASS",
          kernel, answer->name);
  return strcmp (got, answer->hash) != 0;
}

static int
check_kernel (const char *kernel, lyra2_core_fn *core)
{
  int failed = 0;

  for (size_t i = 0; i < ARRAY_SIZE (known); i++)
    failed |= check_answer (kernel, core, &known[i]);
  return failed;
}

int
main (void)
{
  int failed = check_kernel ("plain", lyra2_core_plain);

#if defined __x86_64__ || defined __i386__
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("sse2"))
    failed |= check_kernel ("sse2", lyra2_core_sse2);
  if (__builtin_cpu_supports ("avx2"))
    failed |= check_kernel ("avx2", lyra2_core_avx2);
#endif
  return failed;
}

#else

int
main (void)
{
  return 77; /* the method is not built in */
}

#endif
