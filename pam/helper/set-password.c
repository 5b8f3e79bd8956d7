/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets a new password, once the old one is verified. */
#include "set-password.h"

#include <crypt.h>
#include <security/_pam_types.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "audit-log.h"
#include "queue.h"
#include "shadow.h"
#include "verify.h"

/* As long as lckpwdf(3) waits. */
#define CHANGE_LOCK_MS 15000

static int new_hash(const struct request *req, uid_t uid, char *out,
		    size_t size)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];
	const struct policy *p = &req->policy;

	if (uid != 0 || policy_root_allowed(p)) {
		int rc = policy_hash(p, req->new_password, out, size);

		if (rc == 0 || !policy_leads_back(p))
			return rc;
		answer_log(LOG_WARNING, "new password of user %s is not of "
			   "the configured method: crypt(3) cannot make it at "
			   "this crypt_cost", req->user);
	}
	/* Root may not have Lyra2, or libcrypt lacks the method. */
	if (method_setting(NULL, 0, setting, sizeof(setting)) < 0)
		return -1;
	return method_crypt(setting, req->new_password, out, size);
}

/* Root sets a password whatever the entry says, and if there is none. */
static bool is_forced(const struct request *req)
{
	return (req->flags & (FLAG_ROOT | FLAG_CHECK_OLD)) == FLAG_ROOT;
}

/* Whether the request may change the entry, checked without the lock. */
static int check_old(const struct request *req, const struct subject *s)
{
	int code = s->passwd;

	/* Without a user ID it is not known whether this is root. */
	if (code == PAM_SUCCESS && !(is_forced(req) && s->entry.shadowed))
		code = s->found;
	if (code != PAM_SUCCESS)
		return code;
	if (req->new_password[0] == '\0' ||
	    strlen(req->new_password) > LYRA2_MAX_PASSWORD)
		return PAM_AUTHTOK_ERR;
	if (!(req->flags & FLAG_CHECK_OLD))
		return PAM_SUCCESS;
	code = verify_password(&s->entry.stored, req->password,
			       (req->flags & FLAG_NULLOK) != 0,
			       policy_max_memory(&req->policy)).code;
	if (code == PAM_AUTH_ERR)
		answer_log(LOG_NOTICE,
			   "user password changed by another process");
	return code;
}

static int not_stored(const struct request *req, enum shadow_result result)
{
	answer_log(LOG_ERR, "password of user %s not changed: %s", req->user,
		   shadow_reason(result));
	return PAM_AUTHTOK_ERR;
}

/*
 * Reads the entry again under the lock.  If it still has the hash that was
 * verified, the password need not be verified again.  Returns PAM_TRY_AGAIN if
 * it has another one.
 */
static int set_locked(const struct request *req, const struct entry *verified,
		      const char *hash)
{
	struct subject now;
	struct shadow_change change = { .user = req->user, .new = hash };
	enum shadow_result result;
	long days;
	int code;

	change.lstchg = answer_today() > 0 ? answer_today() : -1;
	code = entry_find(req->user, &now.entry);
	if (code != PAM_SUCCESS && !is_forced(req))
		goto out;
	code = aging_check(&now.entry.aging, answer_today(), &days);
	code = aging_change(code, req->flags);
	if (code != PAM_SUCCESS) {
		answer_log(LOG_NOTICE, "user shadow entry expired");
		goto out;
	}
	if (!is_forced(req))
		change.old = req->flags & FLAG_CHECK_OLD ? verified->hash :
			now.entry.hash;
	result = shadow_store(&change);
	if (result == SHADOW_CHANGED && (req->flags & FLAG_CHECK_OLD))
		code = PAM_TRY_AGAIN;
	else if (result != SHADOW_DONE)
		code = not_stored(req, result);
out:
	explicit_bzero(&now, sizeof(now));
	return code;
}

static int set_hashed(const struct request *req, struct subject *s,
		      const char *hash)
{
	int lock, code;
	enum shadow_result result = shadow_lock(CHANGE_LOCK_MS, &lock);

	if (result != SHADOW_DONE) {
		answer_log(LOG_ERR, "cannot lock the password files: %s",
			   shadow_reason(result));
		return PAM_AUTHTOK_LOCK_BUSY;
	}
	code = set_locked(req, &s->entry, hash);
	shadow_unlock(lock);
	if (code == PAM_SUCCESS)
		answer_log(LOG_NOTICE, "password changed for %s", req->user);
	return code;
}

/* Without the slot, if it returns PAM_TRY_AGAIN. */
static int try_set(const struct request *req, struct subject *s)
{
	char hash[LYRA2_MAX_STRING];
	int code = check_old(req, s);

	if (code != PAM_SUCCESS)
		return code;
	if (new_hash(req, s->entry.uid, hash, sizeof(hash))) {
		answer_log(LOG_CRIT,
			   "crypt() failure or out of memory for password");
		code = PAM_BUF_ERR;
	} else {
		queue_leave();
		code = set_hashed(req, s, hash);
	}
	explicit_bzero(hash, sizeof(hash));
	return code;
}

/*
 * A login that began before may have rehashed the old password meanwhile: it
 * is verified again, once.  A password that was deleted stays deleted.
 */
int set_password(const struct request *req, struct subject *s)
{
	int code = try_set(req, s);

	if (code == PAM_TRY_AGAIN) {
		code = answer_find(req, s);
		if (code == PAM_SUCCESS)
			code = s->entry.hash[0] == '\0' ? PAM_TRY_AGAIN :
				try_set(req, s);
	}
	if (code == PAM_TRY_AGAIN)
		code = not_stored(req, SHADOW_CHANGED);
	if (s->found == PAM_SUCCESS || code == PAM_SUCCESS)
		audit_log(AUDIT_CHANGE, req->user, s->entry.uid,
			  code == PAM_SUCCESS);
	return code;
}
