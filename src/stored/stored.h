/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stored hash, read once where it is found: its method, what it costs, and
 * what the administrator wants of it.
 */
#ifndef LYRA2_STORED_H
#define LYRA2_STORED_H

#include <lyra2.h>
#include <stdbool.h>

#include "method.h"

struct stored {
	const char *hash;	/* the field, which belongs to the caller */
	const struct method *method;	/* NULL: not a hash of a known method */
	bool in_crypt;		/* crypt(3) can verify it */
	uint64_t memory;	/* bytes that it takes, or COST_TOO_HIGH */
	struct lyra2_params params;	/* of Lyra2; version 0 if malformed */
	size_t salt;		/* of Lyra2: where it begins */
};

enum stored_status {
	STORED_NO_HASH,		/* empty, locked, malformed, unknown method */
	STORED_CURRENT,		/* as wanted */
	STORED_DIFFERS,		/* not as wanted, but not weaker */
	STORED_WEAKER		/* another method, or a guess costs less */
};

void stored_read(struct stored *s, const char *hash);

bool stored_is_lyra2(const struct stored *s);

/*
 * Writes its parameters as they are spelled, "v=30$t=2$r=16$c=256", "j9T" or
 * "rounds=5000"; an empty string if it has none.
 */
void stored_params(const struct stored *s, char *out, size_t size);

/* Writes "sha512crypt", or "lyra2(v=30 t=2 r=16 c=256)". */
void stored_describe(const struct stored *s, char *out, size_t size);

enum rehash { REHASH_ALWAYS, REHASH_NEVER, REHASH_LOG_ONLY, REHASH_EXACT };
enum rehash_root { ROOT_AUTO, ROOT_YES, ROOT_NO };

struct policy {
	struct lyra2_params params;	/* of new hashes of Lyra2 */
	char prefix[8];			/* of new hashes; "": Lyra2's, or: */
#define POLICY_PREFERRED "*"		/* what crypt(3) prefers */
	uint32_t crypt_cost;		/* of other new ones; 0: the default */
	uint64_t max_memory;		/* bytes for a stored hash */
	uint32_t max_concurrent;	/* 0: as many as there are CPUs */
	uint32_t rehash;		/* enum rehash */
	uint32_t rehash_root;		/* enum rehash_root */
};

/* Whether new hashes are of another method than Lyra2. */
bool policy_leads_back(const struct policy *p);

/* The method of new hashes; NULL if crypt(3) cannot make them at this cost. */
const struct method *policy_method(const struct policy *p);

/*
 * The most memory that a stored hash may take: no less than new ones do, so
 * that no user who has got one is refused.
 */
uint64_t policy_max_memory(const struct policy *p);

/* Compares it to what new hashes are. */
enum stored_status policy_status(const struct policy *p,
				 const struct stored *s);

/* Computes a new hash; 0, or -1 after an error. */
int policy_hash(const struct policy *p, const char *password, char *out,
		size_t size);

/*
 * Whether a login rehashes: with REHASH_EXACT every hash that is not as
 * configured, otherwise only one whose replacement takes no less memory, no
 * fewer passes, and costs no less for each guess.  With another method than
 * Lyra2 for new hashes, the way back, each one of Lyra2.
 */
bool policy_rehashes(const struct policy *p, const struct stored *s);

/*
 * Whether new hashes take enough memory to replace any others: a mistake in
 * the configuration must not turn good hashes into weak ones.
 */
bool policy_floor_met(const struct policy *p);

/* Whether crypt(3) can verify new hashes. */
bool policy_in_crypt(const struct lyra2_params *params);

/*
 * Whether root may have a new hash: sulogin(8), the last way into a broken
 * machine, verifies it with crypt(3), which may not know Lyra2.
 */
bool policy_root_allowed(const struct policy *p);

#endif
