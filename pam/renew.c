/* SPDX-License-Identifier: BSD-2-Clause */
/* renew.c - new hashes: for a rehash, and for a new password. */
#include "renew.h"

#include <crypt.h>
#include <errno.h>
#include <security/_pam_types.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "admit.h"
#include "audit.h"
#include "local.h"
#include "method.h"
#include "shadow.h"
#include "verify.h"

/* A login waits no longer than this for another process's change. */
#define LOGIN_LOCK_MS 1000
/* What lckpwdf(3) waits. */
#define CHANGE_LOCK_MS 15000

#define DESCRIBE_BYTES 128

/*
 * sulogin(8), the last way into a broken machine, reads root's hash through
 * crypt(3) and not through PAM.
 */
static int root_may_have_it(const struct policy *policy)
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
	if (s->entry.uid == 0 && !root_may_have_it(&req->policy))
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
	if (lyra2_hash(NULL, &req->policy.params, req->password,
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

/* libcrypt's preferred method, for a root whose hash crypt(3) must read. */
static int crypt_hash(const char *password, char *out, size_t size)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];
	struct crypt_data *data = calloc(1, sizeof(*data));
	const char *hash = NULL;
	int rc = -1;

	if (!data)
		return -1;
	if (crypt_gensalt_rn(NULL, 0, NULL, 0, setting, sizeof(setting)))
		hash = crypt_rn(password, setting, data, (int)sizeof(*data));
	if (hash && strlen(hash) < size) {
		memcpy(out, hash, strlen(hash) + 1);
		rc = 0;
	}
	explicit_bzero(data, sizeof(*data));
	free(data);
	return rc;
}

static int new_hash(const struct request *req, uid_t uid, char *out,
		    size_t size)
{
	const char *password = req->new_password;

	if (uid == 0 && !root_may_have_it(&req->policy))
		return crypt_hash(password, out, size);
	return lyra2_hash(NULL, &req->policy.params, password,
			  strlen(password), out, size);
}

/* Whether the request may change the entry, as far as one can tell unlocked. */
static int check_old(const struct request *req, const struct subject *s)
{
	const char *why;
	int code = local_user(req->user);

	if (code == PAM_SUCCESS)
		code = s->found;
	if (code != PAM_SUCCESS)
		return code;
	if (req->new_password[0] == '\0' ||
	    strlen(req->new_password) > LYRA2_MAX_PASSWORD)
		return PAM_AUTHTOK_ERR;
	if (!(req->flags & FLAG_CHECK_OLD))
		return PAM_SUCCESS;
	code = verify_password(s->entry.hash, req->password,
			       (req->flags & FLAG_NULLOK) != 0, &req->policy,
			       &why);
	if (code != PAM_SUCCESS)
		serve_log(LOG_NOTICE,
			  "user password changed by another process");
	return code;
}

/*
 * Under the lock the entry is looked at again.  That it still has the hash
 * whose password was verified replaces a second verification.
 */
static int set_locked(const struct request *req, const struct entry *verified,
		      const char *hash)
{
	struct subject now;
	struct shadow_change change = { .user = req->user, .new = hash };
	enum shadow_result result;
	long days;
	int code;

	change.lstchg = serve_today() > 0 ? serve_today() : -1;
	code = users_find(req->user, &now.entry);
	if (code != PAM_SUCCESS)
		goto out;
	code = account_check(&now.entry.aging, serve_today(), &days);
	code = account_change(code, req->flags);
	if (code != PAM_SUCCESS) {
		serve_log(LOG_NOTICE, "user shadow entry expired");
		goto out;
	}
	change.old = req->flags & FLAG_CHECK_OLD ? verified->hash :
		now.entry.hash;
	result = shadow_store(&change);
	if (result == SHADOW_DONE)
		goto out;
	serve_log(LOG_ERR, "password of user %s not changed: %s", req->user,
		  shadow_reason(result));
	code = PAM_AUTHTOK_ERR;
out:
	explicit_bzero(&now, sizeof(now));
	return code;
}

static int set_hashed(const struct request *req, struct subject *s,
		      const char *hash)
{
	int lock = shadow_lock(CHANGE_LOCK_MS), code;

	if (lock < 0) {
		serve_log(LOG_ERR, "cannot lock the password files: %s",
			  strerror(errno));
		return PAM_AUTHTOK_LOCK_BUSY;
	}
	code = set_locked(req, &s->entry, hash);
	shadow_unlock(lock);
	if (code == PAM_SUCCESS)
		serve_log(LOG_NOTICE, "password changed for %s", req->user);
	audit_record(AUDIT_CHANGE, req->user, s->entry.uid,
		     code == PAM_SUCCESS);
	return code;
}

int renew_set(const struct request *req, struct subject *s)
{
	char hash[LYRA2_MAX_STRING];
	int code = check_old(req, s);

	if (code != PAM_SUCCESS)
		return code;
	if (new_hash(req, s->entry.uid, hash, sizeof(hash))) {
		serve_log(LOG_CRIT,
			  "crypt() failure or out of memory for password");
		code = PAM_BUF_ERR;
	} else {
		admit_leave(&s->slot);
		code = set_hashed(req, s, hash);
	}
	explicit_bzero(hash, sizeof(hash));
	return code;
}
