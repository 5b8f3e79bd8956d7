/* SPDX-License-Identifier: BSD-2-Clause */
/* Which stored hashes are outdated, and which of them a login replaces. */
#ifndef PAM_LYRA2_OUTDATED_H
#define PAM_LYRA2_OUTDATED_H

#include <stdbool.h>

#include "pam/policy.h"

enum outdated {
	OUTDATED_NO_HASH,	/* empty, locked, or of an unknown method */
	OUTDATED_CURRENT,	/* as configured */
	OUTDATED_DIFFERS,	/* not as configured, but not weaker */
	OUTDATED_WEAKER		/* another method, less memory, fewer passes */
};

/* How a stored hash compares to the parameters of new hashes. */
enum outdated outdated_status(const char *hash,
			      const struct lyra2_params *wanted);

/*
 * Whether a login replaces the hash: with REHASH_EXACT every hash that is not
 * as configured, otherwise only one whose replacement takes no less memory
 * and no fewer passes.
 */
bool outdated_replace(const char *hash, const struct policy *policy);

/*
 * Whether new hashes take enough memory to replace any others: a mistake in
 * the configuration must not turn good hashes into weak ones.
 */
bool outdated_floor_met(const struct lyra2_params *wanted);

/*
 * Whether root may have a Lyra2 hash: sulogin(8), the last way into a broken
 * machine, verifies it with crypt(3) and not through PAM.
 */
bool outdated_root_allowed(const struct policy *policy);

#endif
