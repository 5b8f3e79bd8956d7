/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of crypt(5) and of lyra2(5). */
#ifndef LYRA2_METHOD_H
#define LYRA2_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "order.h"

/*
 * crypt(3) has no limits: a yescrypt hash of 30 characters can take 4 GiB and
 * half a minute.  So the cost is read out of a stored hash before any work is
 * done: the bytes that it needs, 0 if they are few, or COST_TOO_HIGH if it
 * takes more time than a login may or the cost cannot be read.
 */
#define COST_TOO_HIGH UINT64_MAX

struct method {
	const char *prefix;
	const char *name;
	enum family family;
	enum outer_hash outer;
	size_t bytes;	/* of a password that are used; 0: all of them */
	bool seven_bits;	/* the eighth bit of each byte is ignored */
	uint64_t (*bound)(const char *hash);	/* the cost; not of Lyra2 */
	void (*strength)(const char *hash, struct strength *s);	/* or NULL */
	const char *params;	/* how they begin; NULL: there are none */
};

extern const struct method method_lyra2, method_bash_lyra2;
extern const struct method method_other;	/* crypt(3) knows it, not we */

/* Whether crypt(3) can compute it: the one question to crypt_checksalt(3). */
bool method_in_crypt(const char *setting);

/*
 * Returns the method of a stored field, given method_in_crypt() of it.  NULL:
 * it is not a hash, but empty, locked, a marker like "x", or unknown here.
 */
const struct method *method_of(const char *hash, bool in_crypt);

/* How strong a hash within its bound is; of Lyra2 the outer hash only. */
void method_strength(const struct method *m, const char *hash,
		     struct strength *s);

/* The characters of the salt, which follows the "$" after this one. */
uint32_t method_salt(const char *dollar);

/*
 * Writes a setting with a fresh salt, as crypt_gensalt(3) does; no prefix means
 * its preferred method.  Returns -1 where crypt(3) cannot make it, calls it
 * weak, or would take more than may be verified.
 */
int method_setting(const char *prefix, uint32_t cost, char *out, size_t size);

/* Computes a hash with crypt(3); 0, or -1 with errno. */
int method_crypt(const char *setting, const char *password, char *out,
		 size_t size);

#endif
