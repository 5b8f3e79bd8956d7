/* SPDX-License-Identifier: BSD-2-Clause */
/* renew.c - after a login: the hash follows the configuration. */
#include "renew.h"

#include <crypt.h>
#include <errno.h>
#include <security/_pam_types.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "admit.h"
#include "audit.h"
#include "local.h"
#include "method.h"
#include "paths.h"
#include "shadow.h"

/* A login waits no longer than this for another process's change. */
#define LOGIN_LOCK_MS 1000

#define DESCRIBE_BYTES 128

int renew_root_allowed(const struct policy *policy)
{
	char setting[LYRA2_MAX_STRING];

	if (policy->rehash_root != ROOT_AUTO)
		return policy->rehash_root == ROOT_YES;
	if (lyra2_gensalt(&policy->params, NULL, 0, setting, sizeof(setting)))
		return 0;
	return crypt_checksalt(setting) == CRYPT_SALT_OK;
}

static int outdated(const char *hash, const struct policy *policy)
{
	const struct method *m = method_of(hash);

	if (!m)
		return 0;	/* the empty hash of a user without one */
	return !method_is_lyra2(m) ||
		lyra2_needs_rehash(hash, &policy->params) == 1;
}

/* Why an outdated hash is to stay, or NULL. */
static const char *hindrance(const struct request *req,
			     const struct subject *s)
{
	const struct method *m = method_of(s->entry.hash);
	long days;

	if (req->policy.rehash == REHASH_NEVER)
		return "norehash";
	if (!s->entry.shadowed || local_user(req->user) != PAM_SUCCESS)
		return "it is not in /etc/shadow";
	if (m && m->bytes && strlen(req->password) > m->bytes)
		return "its method looked only at the password's beginning";
	if (s->entry.uid == 0 && !renew_root_allowed(&req->policy))
		return "it is root's, and crypt(3) does not know $lyra2$";
	if (account_check(&s->entry.aging, serve_today(), &days) ==
	    PAM_ACCT_EXPIRED)
		return "the account has expired";
	return NULL;
}

static enum shadow_result store(const struct shadow_change *change, int ms)
{
	int lock = shadow_lock(ms);
	enum shadow_result result = SHADOW_FAILED;

	if (lock < 0)
		return result;
	result = shadow_store(change);
	shadow_unlock(lock);
	return result;
}

static void rehash(const struct request *req, struct subject *s)
{
	char hash[LYRA2_MAX_STRING], from[DESCRIBE_BYTES], to[DESCRIBE_BYTES];
	struct shadow_change change = {
		.user = req->user, .old = s->entry.hash, .new = hash,
		.lstchg = -1
	};
	enum shadow_result result = SHADOW_FAILED;

	method_describe(s->entry.hash, from, sizeof(from));
	/* No login shall wait for a hash that can be stored nowhere. */
	if (access(PATH_SHADOW_DIR, W_OK) == 0 &&
	    lyra2_hash(NULL, &req->policy.params, req->password,
		       strlen(req->password), hash, sizeof(hash)) == 0) {
		admit_leave(&s->slot);
		result = store(&change, LOGIN_LOCK_MS);
		method_describe(hash, to, sizeof(to));
	}
	if (result == SHADOW_DONE)
		serve_log(LOG_NOTICE, "password hash of user %s upgraded "
			  "from %s to %s", req->user, from, to);
	else
		serve_log(LOG_NOTICE, "password hash of user %s not upgraded "
			  "from %s: %s", req->user, from,
			  shadow_reason(result));
	audit_record(AUDIT_REHASH, req->user, s->entry.uid,
		     result == SHADOW_DONE);
	explicit_bzero(hash, sizeof(hash));
}

void renew_after_login(const struct request *req, struct subject *s)
{
	const char *why;
	char from[DESCRIBE_BYTES];

	if (!outdated(s->entry.hash, &req->policy))
		return;
	why = hindrance(req, s);
	if (why) {
		serve_log(LOG_DEBUG, "password hash of user %s stays: %s",
			  req->user, why);
	} else if (req->policy.rehash == REHASH_LOG_ONLY) {
		method_describe(s->entry.hash, from, sizeof(from));
		serve_log(LOG_NOTICE, "password hash of user %s would be "
			  "upgraded from %s", req->user, from);
	} else {
		rehash(req, s);
	}
}
