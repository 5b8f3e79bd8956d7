/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cost of a crypt(5) hash, read before any work is done.  crypt(3) has no
 * limits: a yescrypt hash of 30 characters can take 4 GiB and half a minute.
 */
#ifndef LYRA2_SETTING_H
#define LYRA2_SETTING_H

#include <stdint.h>

/* It takes more time than a login may, or cannot be read. */
#define COST_TOO_HIGH UINT64_MAX

struct setting {
	/*
	 * The memory in bytes, multiplied by the factors of the time.  0 if it
	 * is small.  If it is COST_TOO_HIGH, the other fields mean nothing.
	 */
	uint64_t bound;
	uint64_t memory;	/* bytes that must be held at once */
	uint64_t cost;		/* in units of the method */
	uint32_t flags;		/* of yescrypt */
	uint32_t salt;		/* characters */
};

/*
 * One reader for each form of setting.  hash begins with a prefix of that form
 * in crypt(5), and may be malformed after it.  *s is all zero before the call.
 */
typedef void setting_read(const char *hash, struct setting *s);
setting_read setting_yescrypt, setting_scrypt, setting_bcrypt, setting_rounds,
	setting_sha1, setting_plain;

/* Returns the length of the salt that follows the next "$". */
uint32_t setting_salt(const char *dollar);

#endif
