/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost.h - reads the cost out of a stored hash, before any work is done.
 *
 * crypt(3) obeys whatever a hash asks for: a yescrypt hash of 30 characters
 * can take 4 GiB and half a minute.  Each function returns nonzero where a
 * hash asks for more than max_memory bytes, or for more time than anyone
 * gives a login, or where its cost cannot be read.
 */
#ifndef PAM_LYRA2_COST_H
#define PAM_LYRA2_COST_H

#include <stdint.h>

int cost_lyra2(const char *hash, uint64_t max_memory);
int cost_yescrypt(const char *hash, uint64_t max_memory);
int cost_scrypt(const char *hash, uint64_t max_memory);
int cost_bcrypt(const char *hash, uint64_t max_memory);
int cost_rounds(const char *hash, uint64_t max_memory);
int cost_sha1(const char *hash, uint64_t max_memory);
int cost_none(const char *hash, uint64_t max_memory);

#endif
