/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alg-lyra2.c - computes test vectors with every implementation that this CPU
 * can run; on i386 also with a stack that is aligned to 4 bytes only.  An
 * independent implementation in Python made the vectors.  It agrees with the
 * authors' reference code.
 */
#include "crypt-port.h"

#ifdef LYRA2_PLAIN

#include "../lib/alg-lyra2.h"

#include <stdio.h>
#include <stdlib.h>

#if defined __GLIBC__ && !defined XCRYPT_USE_ASAN
#define LOOKS_AT_FREED 1
#endif

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

/* Room for the largest matrix above and four lanes, aligned to 64.  */
#define MATRIX ((size_t)64 * 12 * 96)
static uint64_t memory[(MATRIX + 4 * LYRA2_LANE_BYTES + 64) / 8];

/* Calls CORE with the stack BELOW bytes below a multiple of 16.  */
static void
call_below (unsigned int below, lyra2_core_fn *core,
            const struct lyra2_job *job)
{
#ifdef __i386__
  __asm__ __volatile__ ("movl %%esp, %%esi\n\t"
                        "andl $-16, %%esp\n\t"
                        "subl %0, %%esp\n\t"
                        "movl %2, (%%esp)\n\t"
                        "call *%1\n\t"
                        "movl %%esi, %%esp"
                        :
                        : "b" (below + 16), "D" (core), "a" (job)
                        : "ecx", "edx", "esi", "memory", "cc");
#else
  (void)below;
  core (job);
#endif
}

static int
check_answer (const char *name, lyra2_core_fn *core, unsigned int below,
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
  call_below (below, core, &job);
  lyra2_encode (key, sizeof (key), got);
  printf ("%s: %s, %s, %u below\n",
          strcmp (got, answer->hash) ? "FAIL" : "PASS", name, answer->name,
          below);
  return strcmp (got, answer->hash) != 0;
}

static int
check (const char *name, lyra2_core_fn *core)
{
#ifdef __i386__
  const unsigned int last = 12;
#else
  const unsigned int last = 0;
#endif
  unsigned int below;
  int failed = 0;

  for (below = 0; below <= last; below += 4)
    for (size_t i = 0; i < ARRAY_SIZE (known); i++)
      failed |= check_answer (name, core, below, &known[i]);
  return failed;
}

#ifdef LOOKS_AT_FREED
extern void *__libc_malloc (size_t size);
extern void __libc_free (void *p);

/* The size of the first answer's matrix and lanes.  */
#define USED ((size_t)16 * 12 * 96 + LYRA2_LANE_BYTES)
#define SKEW 16
static _Alignas (64) char room[USED + 128];
static size_t freed, left;

/* For the answer, memory that is not aligned, and not 0.  */
void *
malloc (size_t size)
{
  if (size != USED + 64)
    return __libc_malloc (size);
  memset (room, 0xaa, sizeof (room));
  return room + SKEW;
}

/* Counts the bytes of the matrix and the lanes that are not 0.  */
void
free (void *p)
{
  if (p != room + SKEW)
    {
      __libc_free (p);
      return;
    }
  freed++;
  for (size_t i = 0; i < USED; i++)
    left += room[64 + i] != 0;
}

static int
check_wiped (void)
{
  uint8_t key[LYRA2_HASH_BYTES];
  struct lyra2_job job;
  const char *end;
  bool wiped;

  lyra2_decode (&job, "$lyra2$", known[0].setting, &end);
  job.password = (const uint8_t *)"password";
  job.passwordlen = 8;
  job.key = key;
  job.keylen = sizeof (key);
  wiped = lyra2_compute (&job) && freed == 1 && left == 0;
  printf ("%s: the matrix is wiped before it is freed\n",
          wiped ? "PASS" : "FAIL");
  return !wiped;
}
#endif

int
main (void)
{
  int failed = 0;

#ifdef LOOKS_AT_FREED
  failed |= check_wiped ();
#endif
#ifdef LYRA2_C
  failed |= check ("plain", lyra2_core_plain);
#endif
#ifdef LYRA2_X86
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("sse2"))
    failed |= check ("sse2", lyra2_core_sse2);
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
