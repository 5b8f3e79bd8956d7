/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alg-lyra2.c - liblyra2 as one translation unit of libxcrypt, so that of its
 * symbols only those of lyra2.h, which crypt-port.h renames, are global.
 */
#include "crypt-port.h"

#if INCLUDE_lyra2 && !LYRA2_SHARED

#include <stdlib.h>

/* crypt(3) depends on its arguments alone: no kernel by environment. */
#undef secure_getenv
#define secure_getenv(name) NULL

/*
 * Only gcc keeps the symbol of a static ifunc local, only glibc is known to
 * resolve one, and sanitizers are not ready when it does.
 */
#if defined(__GLIBC__) && !defined(__clang__) && \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LYRA2_IFUNC 1
#endif

#define LYRA2_INTERNAL static

#include "lyra2/dispatch.c"
#include "lyra2/encode.c"
#include "lyra2/lyra2.c"
#include "lyra2/matrix.c"
#include "lyra2/params.c"
#include "lyra2/selftest.c"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif
#include "lyra2/kernel-names.h"
#include "lyra2/core-plain.c"
#include "lyra2/core-vector.c"
#if defined(__x86_64__) || defined(__i386__)
#include "lyra2/core-sse2.c"
#include "lyra2/core-avx2.c"
#include "lyra2/core-avx512vl.c"
#endif

#endif /* INCLUDE_lyra2 && !LYRA2_SHARED */
