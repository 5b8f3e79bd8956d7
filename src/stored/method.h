/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of crypt(5) and of lyra2(5): one table. */
#ifndef LYRA2_METHOD_H
#define LYRA2_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "order.h"
#include "setting.h"

struct method {
	const char *prefix;
	const char *name;
	enum family family;
	enum outer_hash outer;
	uint32_t lyra2;		/* enum lyra2_method; 0: of crypt(3) only, */
	setting_read *read;	/* whose hashes this reads */
	size_t bytes;	/* of a password that are used; 0: all of them */
	bool seven_bits;	/* the eighth bit of each byte is ignored */
	const char *params;	/* how they begin; NULL: there are none */
	size_t hash;	/* digits behind the salt; 0: another function checks */
	size_t parts;		/* the fewest "$" of a whole hash, if the salt
				 * can be taken for a hash */

	/* Of new hashes; new is NULL where there can be none. */
	const char *new;	/* prefix of crypt_gensalt(3); "" with lyra2 */
	uint32_t cost;		/* the default of crypt_gensalt(3) */
};

/*
 * Returns the method of a stored field.  in_crypt is the result of
 * crypt3_knows().  Returns NULL if the field is not a hash: it is empty,
 * locked, a marker like "x", or unknown here.
 */
const struct method *method_of(const char *hash, bool in_crypt);

/*
 * Returns the length of a stored field, without what HP-UX puts behind a hash
 * that has no prefix: a comma and the times of aging.  pam_unix(8) cuts it off.
 */
size_t method_length(const char *hash);

/*
 * Returns false if no password can have this stored field: its last part is not
 * as long as the method makes it, or has other characters.
 */
bool method_fits(const struct method *m, const char *hash);

/* The methods that new hashes can have, from 0 on; NULL after the last. */
const struct method *method_new(uint32_t number);

#endif
