/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of lyra2 in SSE2. */
#include "crypt-port.h"

#if (INCLUDE_lyra2 || INCLUDE_bash_lyra2) \
    && (defined __x86_64__ || defined __i386__)
#include "lyra2/core-sse2.c"
#endif
