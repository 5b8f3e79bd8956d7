/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crypt-lyra2.c - how the lyra2 method fails, and what it does with the largest
 * and smallest arguments.  The tables of other tests cover the rest.
 */
#include "crypt-port.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#if INCLUDE_lyra2

#define SALT "MJHnaAkegEVYHsFKkmfzJ1"
#define CHEAP "$lyra2$t2n4c12p1$" SALT

static int failed;

static void
check (const char *what, bool good)
{
  printf ("%s: %s\n", good ? "PASS" : "FAIL", what);
  failed |= !good;
}

/* Returns crypt_rn()'s errno, 0 for success, -1 if it sets no failure token. */
static int
error_of (const char *phrase, const char *setting)
{
  static struct crypt_data data;

  memset (&data, 0, sizeof (data));
  errno = 0;
  if (crypt_rn (phrase, setting, &data, sizeof (data)))
    return 0;
  return data.output[0] == '*' && strlen (data.output) == 2 ? errno : -1;
}

/* Limits memory to 64 MiB.  False where that has no effect, as in qemu. */
static bool
limit_memory (void)
{
  const struct rlimit little = { 64 << 20, 64 << 20 };
  void *map;

#ifdef XCRYPT_USE_ASAN /* its shadow memory exceeds any limit */
  return false;
#endif
  if (setrlimit (RLIMIT_AS, &little))
    return false;
  map = mmap (NULL, 128 << 20, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    return true;
  munmap (map, 128 << 20);
  return false;
}

/* The method checks the cost before it allocates memory: the errors differ. */
static void
test_costs (void)
{
  check ("more than 1 GiB: EINVAL",
         error_of ("pw", "$lyra2$t2n15c342p1$" SALT) == EINVAL);
  check ("more than 2^28 of work: EINVAL",
         error_of ("pw", "$lyra2$t524288n4c24p1$" SALT) == EINVAL);
  check ("products beyond 64 bits: EINVAL",
         error_of ("pw", "$lyra2$t4294967295n15c4096p4$" SALT) == EINVAL);
  if (!limit_memory ())
    {
      puts ("SKIP: 1 GiB where 64 MiB are left: no limit here");
      return;
    }
  check ("1 GiB where 64 MiB are left: ENOMEM",
         error_of ("pw", "$lyra2$t2n15c341p1$" SALT) == ENOMEM);
  check ("2^28 of work there: ENOMEM",
         error_of ("pw", "$lyra2$t31n15c248p1$" SALT) == ENOMEM);
  check ("and a column more: EINVAL",
         error_of ("pw", "$lyra2$t31n15c249p1$" SALT) == EINVAL);
  check ("4 GiB, which are little in 32 bits: EINVAL",
         error_of ("pw", "$lyra2$t2n15c1366p1$" SALT) == EINVAL);
  check ("and more than 1 GiB still: EINVAL",
         error_of ("pw", "$lyra2$t2n15c342p1$" SALT) == EINVAL);
}

static void
test_failure_token (void)
{
  struct crypt_data data = { 0 };
  char *out = crypt_r ("pw", "$lyra2$t1n4c12p1$" SALT "$", &data);

  check ("a failure token, no part of a hash",
         ENABLE_FAILURE_TOKENS ? out && strcmp (out, "*0") == 0 : !out);
}

/* The longest salt, and a hash part that fills what the API lets through. */
static void
test_longest (void)
{
  static char setting[CRYPT_OUTPUT_SIZE + 1], phrase[513];
  static char salt[65];
  struct crypt_data data = { 0 };
  size_t n;

  memset (phrase, 0xff, 511);
  memset (salt, 'A', 64);
  n = (size_t)snprintf (setting, sizeof (setting),
                        "$lyra2$t2n4c12p1$%s$", salt);
  check ("the longest salt and phrase",
         crypt_rn (phrase, setting, &data, sizeof (data))
             && strlen (data.output) == n + 43);
  memset (setting + n, 'x', 383 - n);
  check ("a hash part of any length", error_of (phrase, setting) == 0);
  phrase[511] = 'x';
  check ("a phrase too long: ERANGE", error_of (phrase, CHEAP) == ERANGE);
}

static void
hash_from_here (void)
{
  check ("a stack aligned to 4 bytes", error_of ("pw", CHEAP) == 0);
}

/* The old ABI of i386 aligns the stack to 4 bytes only.  */
static void
test_stack (void)
{
#ifdef __i386__
  for (unsigned int below = 4; below < 16; below += 4)
    __asm__ __volatile__ ("movl %%esp, %%esi\n\t"
                          "andl $-16, %%esp\n\t"
                          "subl %0, %%esp\n\t"
                          "call *%1\n\t"
                          "movl %%esi, %%esp"
                          :
                          : "b" (below), "D" (hash_from_here)
                          : "eax", "ecx", "edx", "esi", "memory", "cc");
#else
  hash_from_here ();
#endif
}

static void
test_gensalt (void)
{
  static const char rbytes[100] = "0123456789abcdef";
  char first[CRYPT_GENSALT_OUTPUT_SIZE];
  char second[CRYPT_GENSALT_OUTPUT_SIZE];

  check ("48 bytes are 64 characters of salt",
         crypt_gensalt_rn ("$lyra2$", 0, rbytes, 48, first, sizeof (first))
             && strlen (strrchr (first, '$')) == 65);
  check ("bytes after the 48th are ignored",
         crypt_gensalt_rn ("$lyra2$", 0, rbytes, 100, second, sizeof (second))
             && strcmp (first, second) == 0);
  check ("output just long enough",
         crypt_gensalt_rn ("$lyra2$", 0, rbytes, 16, first, 42)
             && strlen (first) == 41);
  check ("output one byte too short: ERANGE",
         !crypt_gensalt_rn ("$lyra2$", 0, rbytes, 16, first, 41)
             && errno == ERANGE && first[0] == '*');
  check ("the largest count: EINVAL",
         !crypt_gensalt_rn ("$lyra2$", ULONG_MAX, rbytes, 16, first,
                            sizeof (first))
             && errno == EINVAL);
}

int
main (void)
{
  test_failure_token ();
  test_longest ();
  test_gensalt ();
  test_stack ();
  test_costs (); /* last: its limit stays */
  return failed;
}

#else

int
main (void)
{
  return 77; /* the method is not built in */
}

#endif
