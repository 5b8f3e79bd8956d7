/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of lyra2 in AVX2. */
#include "crypt-port.h"

#if (INCLUDE_lyra2 || INCLUDE_bash_lyra2) \
    && (defined __x86_64__ || defined __i386__)
#include "lyra2/core-avx2.c"
#endif
