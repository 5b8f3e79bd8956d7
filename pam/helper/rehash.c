/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: rehashes the password as configured. */
#include "rehash.h"

#include <security/_pam_types.h>
#include <stdbool.h>
#include <string.h>
#include <syslog.h>

#include "audit-log.h"
#include "queue.h"
#include "shadow.h"

/*
 * A rehash waits no longer than this for another process's change: the log
 * line should come before the module has stopped waiting.
 */
#define LOGIN_LOCK_MS 700

#define DESCRIBE_BYTES 128

/* Whether other passwords have the same DES hash. */
static bool has_eighth_bit(const char *password)
{
	for (; *password; password++)
		if (*password & 0x80)
			return true;
	return false;
}

/* Why the stored hash must not be replaced, or NULL. */
static const char *reason_to_keep(const struct request *req,
				  const struct subject *s)
{
	const struct method *m = s->entry.stored.method;
	const struct method *to = policy_method(&req->policy);
	long days;

	if (req->policy.rehash == REHASH_NEVER)
		return "norehash";
	if (!s->entry.shadowed || s->passwd != PAM_SUCCESS)
		return "it is not in /etc/shadow";
	if (m->bytes && strlen(req->password) > m->bytes)
		return "the old method truncates passwords";
	if (to && to->bytes && strlen(req->password) > to->bytes)
		return "the new method truncates passwords";
	if (m->seven_bits && has_eighth_bit(req->password))
		return "the old method ignores the eighth bit of each byte";
	if (!policy_floor_met(&req->policy))
		return "the configured parameters take less than 1 MiB";
	if (s->entry.uid == 0 && !policy_root_allowed(&req->policy))
		return "it is root's, and crypt(3) does not know $lyra2$";
	if (aging_check(&s->entry.aging, answer_today(), &days) ==
	    PAM_ACCT_EXPIRED)
		return "the account has expired";
	return NULL;
}

static enum shadow_result store(const struct shadow_change *change, int ms)
{
	int lock;
	enum shadow_result result = shadow_lock(ms, &lock);

	if (result == SHADOW_DONE)
		result = shadow_store(change);
	shadow_unlock(lock);
	return result;
}

/* Computes the new hash only if it is likely that it can be stored. */
static enum shadow_result replace(const struct request *req,
				  struct subject *s, char *hash, size_t size)
{
	struct shadow_change change = {
		.user = req->user, .old = s->entry.hash, .new = hash,
		.lstchg = -1
	};
	enum shadow_result result = shadow_check(&change);

	if (result != SHADOW_DONE)
		return result;
	if (policy_hash(&req->policy, req->password, hash, size) < 0)
		return SHADOW_FAILED;
	queue_leave();
	return store(&change, LOGIN_LOCK_MS);
}

/* The module may be gone by now, so the helper writes the log line. */
static void rehash(const struct request *req, struct subject *s,
		   const char *from)
{
	char hash[LYRA2_MAX_STRING] = "", to[DESCRIBE_BYTES];
	enum shadow_result result = replace(req, s, hash, sizeof(hash));
	struct stored new;

	if (result == SHADOW_DONE) {
		stored_read(&new, hash);
		stored_describe(&new, to, sizeof(to));
		syslog(LOG_NOTICE, "password of user %s rehashed from %s to %s",
		       req->user, from, to);
	} else {
		syslog(LOG_NOTICE, "password of user %s not rehashed from %s: "
		       "%s", req->user, from, shadow_reason(result));
	}
	audit_log(AUDIT_REHASH, req->user, s->entry.uid,
		  result == SHADOW_DONE);
	explicit_bzero(hash, sizeof(hash));
}

void rehash_after_login(const struct request *req, struct subject *s)
{
	const char *why = reason_to_keep(req, s);
	char from[DESCRIBE_BYTES];

	stored_describe(&s->entry.stored, from, sizeof(from));
	if (why)
		answer_log(LOG_DEBUG, "password of user %s not rehashed: %s",
			   req->user, why);
	else if (!policy_method(&req->policy))
		syslog(LOG_NOTICE, "password of user %s not rehashed from %s: "
		       "crypt(3) cannot make the configured method at this "
		       "crypt_cost", req->user, from);
	else if (req->policy.rehash == REHASH_LOG_ONLY)
		syslog(LOG_NOTICE, "password of user %s would be rehashed "
		       "from %s", req->user, from);
	else
		rehash(req, s, from);
}
