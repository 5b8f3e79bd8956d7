/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hash of crypt(5) asks for, read before any work is done.  crypt(3) has
 * no limits: a yescrypt hash of 30 characters can take 4 GiB and half a minute.
 */
#ifndef LYRA2_SETTING_H
#define LYRA2_SETTING_H

#include <stdint.h>

/* It takes more time than a login may, or cannot be read. */
#define COST_TOO_HIGH UINT64_MAX

struct setting {
	/*
	 * The bytes that it needs, times what multiplies the time: 0 if they
	 * are few, or COST_TOO_HIGH.  Then the rest means nothing.
	 */
	uint64_t bound;
	uint64_t memory;	/* bytes that must be held at once */
	uint64_t cost;		/* in units of the method */
	uint32_t flags;		/* of yescrypt */
	uint32_t salt;		/* characters */
};

/*
 * One reader for each form.  hash begins with a prefix of that form, as
 * crypt(5) has it, and may be malformed behind that; s is all zero before.
 */
typedef void setting_read(const char *hash, struct setting *s);
setting_read setting_yescrypt, setting_scrypt, setting_bcrypt, setting_rounds,
	setting_sha1, setting_plain;

/* The characters of the salt, which follows the "$" after this one. */
uint32_t setting_salt(const char *dollar);

#endif
