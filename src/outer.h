/* SPDX-License-Identifier: BSD-2-Clause */
/* The outer hash of $bashlyra2$. */
#ifndef LYRA2_OUTER_H
#define LYRA2_OUTER_H

#include "bash-dispatch.h"
#include "encode.h"

/*
 * Replaces the LYRA2_HASH_BYTES bytes y that Lyra2 gives for the string s by
 *	HMAC(HMAC(bash256(password), setting), y)
 * with HMAC-bash256, whose first argument is the key.  Even if Lyra2 is broken,
 * this is no weaker than HMAC-bash256 of the password.  gost-yescrypt of
 * libxcrypt has the same construction.  kernel and errors are those of
 * bash_dispatch().
 */
LYRA2_INTERNAL int outer_bash256(enum kernel kernel,
				 const struct lyra2_string *s,
				 const void *password, size_t passwordlen,
				 uint8_t *y);

#endif
