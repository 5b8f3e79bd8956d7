/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * liblyra2 without its kernels, as a part of crypt-lyra2.c and of its test:
 * all is static, and what is not called is not there.
 */
#include "crypt-port.h"

#include <errno.h>
#include <stdlib.h>

#define LYRA2_API static __attribute__ ((__unused__))
#define LYRA2_INTERNAL static __attribute__ ((__unused__))

/* Bash hashes a few hundred bytes per login: its speed does not matter. */
#define bash_blocks_avx2 bash_blocks_plain
#define bash_blocks_sse2 bash_blocks_plain

#include "lyra2/bash.c"
#include "lyra2/bash-dispatch.c"
#include "lyra2/dispatch.c"
#include "lyra2/encode.c"
#include "lyra2/lyra2.c"
#include "lyra2/matrix.c"
#include "lyra2/outer.c"
#include "lyra2/params.c"
#include "lyra2/selftest.c"

#include "lyra2/bash-plain.c"

/* libxcrypt's random bytes, in place of entropy.c */
static int
entropy_read (uint8_t *p, size_t n)
{
  if (get_random_bytes (p, n))
    return 0;
  errno = ENOSYS;
  return -1;
}
