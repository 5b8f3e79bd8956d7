/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the cost out of a stored hash, before any work is done.
 *
 * crypt(3) has no limits: a yescrypt hash of 30 characters can take 4 GiB and
 * half a minute.  Each function returns the bytes of memory that a hash needs,
 * 0 if they are few, or COST_TOO_HIGH if it needs more time than a login may
 * take or its cost cannot be read.
 */
#ifndef PAM_LYRA2_COST_H
#define PAM_LYRA2_COST_H

#include <stdint.h>

#define COST_TOO_HIGH UINT64_MAX

uint64_t cost_lyra2(const char *hash);
uint64_t cost_yescrypt(const char *hash);
uint64_t cost_scrypt(const char *hash);
uint64_t cost_bcrypt(const char *hash);
uint64_t cost_rounds(const char *hash);
uint64_t cost_sha1(const char *hash);
uint64_t cost_fixed(const char *hash);

#endif
