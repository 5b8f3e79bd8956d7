/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the administrator wants of stored hashes, and so what the next login
 * does with one.  lyra2d does it, and lyra2 audit predicts it.
 */
#ifndef LYRA2_POLICY_H
#define LYRA2_POLICY_H

#include "stored.h"

enum rehash {
	REHASH_WEAKER,		/* replace what is weaker by order.h */
	REHASH_EXACT,		/* all that is not as new hashes are */
	REHASH_LEAVE,		/* what is weaker, and all of Lyra2 */
	REHASH_LOG_ONLY,	/* log what REHASH_LEAVE would do */
	REHASH_NEVER
};

#define MAX_CONCURRENT 256	/* hashes at once */

struct policy {
	uint32_t lyra2;		/* enum lyra2_method; 0: of crypt(3) */
	struct lyra2_params params;	/* of new hashes, if lyra2 */
	char prefix[8];			/* of crypt_gensalt(3); "": its own */
	uint32_t crypt_cost;		/* and its cost; 0: the default */
	uint64_t max_memory;		/* bytes for a stored hash */
	uint32_t max_concurrent;	/* 0: as many as there are CPUs */
	uint32_t rehash;		/* enum rehash */
	uint32_t rehash_root;	/* whether root gets a Lyra2 hash, too */

	/* What new hashes are: by policy_ready() */
	const struct method *method;
	struct strength strength;
	uint64_t new_memory;		/* bytes that each takes */
};

/*
 * Sets method, strength and new_memory from the other fields.  Returns 0, or -1
 * if crypt(3) cannot make hashes of this method.
 */
int policy_ready(struct policy *p);

/*
 * Returns the most memory that a stored hash may take: no less than a new hash
 * takes.  If method was changed from lyra2, the old Lyra2 hashes still fit.
 */
uint64_t policy_max_memory(const struct policy *p);

/* Returns the number of bytes that a new password may have. */
uint32_t policy_max_password(const struct policy *p);

/*
 * Computes a new hash.  Returns 0, or -1 with errno: EMSGSIZE if the method
 * would truncate the password.  Root gets a hash that crypt(3) can verify,
 * unless rehash_root allows Lyra2.
 */
int policy_hash(const struct policy *p, bool root, const char *password,
		char *out, size_t size);

/* What the policy needs to know besides the hash. */
struct account {
	bool root;		/* user ID 0 */
	const char *outside;	/* why rehash_group leaves it out, or NULL */
	bool expired;
	const char *password;	/* NULL: not known yet */
};

enum next {
	NEXT_NO_HASH,		/* blank, locked, malformed, unknown */
	NEXT_CURRENT,		/* it is as new hashes are */
	NEXT_CONVERT,
	NEXT_LOG,		/* only log that it would be converted */
	NEXT_PREVENTED,		/* it would be, but for the reason */
	NEXT_KEEP		/* for the reason */
};

/*
 * Returns what a login does with a hash.  Sets *why to the reason for
 * NEXT_PREVENTED and NEXT_KEEP, else to NULL.
 */
enum next policy_next(const struct policy *p, const struct stored *s,
		      const struct account *a, const char **why);

/* Returns why some passwords prevent the conversion; NULL: none does. */
const char *policy_unless(const struct policy *p, const struct stored *s);

#endif
