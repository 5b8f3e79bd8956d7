/* SPDX-License-Identifier: BSD-2-Clause */
/* All calls of libcrypt. */
#ifndef LYRA2_CRYPT3_H
#define LYRA2_CRYPT3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns true if crypt(3) can compute the setting.  Only this calls
 * crypt_checksalt(3).
 */
bool crypt3_knows(const char *setting);

/*
 * Writes a setting with a fresh salt, as crypt_gensalt(3) does; no prefix means
 * its preferred method.  Returns -1 where crypt(3) cannot make it, calls it
 * weak, or would take more than may be verified.
 */
int crypt3_setting(const char *prefix, uint32_t cost, char *out, size_t size);

/* Computes a hash; 0, or -1 with errno. */
int crypt3_hash(const char *setting, const char *password, char *out,
		size_t size);

#endif
