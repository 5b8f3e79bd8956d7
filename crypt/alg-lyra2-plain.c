/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of lyra2 in portable C. */
#include "crypt-port.h"

#if INCLUDE_lyra2 || INCLUDE_bash_lyra2
#include "lyra2/core-plain.c"
#endif
