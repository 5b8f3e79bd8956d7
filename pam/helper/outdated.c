/* SPDX-License-Identifier: BSD-2-Clause */
/* Which stored hashes are outdated, and which of them a login replaces. */
#include "outdated.h"

#include <crypt.h>

#include "method.h"

#define FLOOR_BYTES (UINT64_C(1) << 20)

/* Returns false for other methods, which have no Lyra2 parameters. */
static bool parse(const char *hash, const struct method *m,
		  struct lyra2_params *has)
{
	return method_is_lyra2(m) && lyra2_parse(hash, has, NULL, 0) == 0;
}

enum outdated outdated_status(const char *hash,
			      const struct lyra2_params *wanted)
{
	const struct method *m = method_of(hash);
	struct lyra2_params has;

	if (!m || (method_is_lyra2(m) && !parse(hash, m, &has)))
		return OUTDATED_NO_HASH;
	if (!method_is_lyra2(m))
		return OUTDATED_WEAKER;
	if (lyra2_needs_rehash(hash, wanted) == 0)
		return OUTDATED_CURRENT;
	/* The last: a short salt or hash. */
	if (lyra2_memory(&has) < lyra2_memory(wanted) ||
	    has.t_cost < wanted->t_cost || has.version < wanted->version ||
	    (has.outer == LYRA2_NO_OUTER && wanted->outer != LYRA2_NO_OUTER) ||
	    lyra2_needs_rehash(hash, &has) != 0)
		return OUTDATED_WEAKER;
	return OUTDATED_DIFFERS;
}

/* Whether the new one has no less memory, passes or outer hash. */
static bool no_loss(const char *hash, const struct lyra2_params *wanted)
{
	const struct method *m = method_of(hash);
	struct lyra2_params has;

	if (parse(hash, m, &has) &&
	    (has.t_cost > wanted->t_cost ||
	     (has.outer != LYRA2_NO_OUTER && wanted->outer == LYRA2_NO_OUTER)))
		return false;
	return m->memory(hash) <= lyra2_memory(wanted);
}

bool outdated_replace(const char *hash, const struct policy *policy)
{
	switch (outdated_status(hash, &policy->params)) {
	case OUTDATED_NO_HASH:
	case OUTDATED_CURRENT:
		return false;
	case OUTDATED_DIFFERS:
	case OUTDATED_WEAKER:
		break;
	}
	return policy->rehash == REHASH_EXACT ||
		no_loss(hash, &policy->params);
}

bool outdated_floor_met(const struct lyra2_params *wanted)
{
	return lyra2_memory(wanted) >= FLOOR_BYTES;
}

bool outdated_root_allowed(const struct policy *policy)
{
	char setting[LYRA2_MAX_STRING];

	if (policy->rehash_root != ROOT_AUTO)
		return policy->rehash_root == ROOT_YES;
	return lyra2_gensalt(&policy->params, NULL, 0, setting,
			     sizeof(setting)) == 0 &&
		crypt_checksalt(setting) == CRYPT_SALT_OK;
}
