/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets a new password, once the old one is verified. */
#include "set-password.h"

#include <errno.h>
#include <security/_pam_types.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "answer.h"
#include "audit-log.h"
#include "pam/shadow/shadow.h"
#include "verify.h"

/* The time that lckpwdf(3) waits. */
#define CHANGE_LOCK_MS 15000

/*
 * Returns true if root sets the password, whatever the entry says, also if
 * there is none.
 */
static bool is_forced(const struct request *req)
{
	return (req->flags & (FLAG_ROOT | FLAG_CHECK_OLD)) == FLAG_ROOT;
}

/* Checks, without the lock, whether the request may change the entry. */
static int check_old(struct job *job)
{
	const size_t len = strlen(job->secret.new_password);
	int code = is_forced(&job->req) ? job->entry.passwd : job->found;

	if (code != PAM_SUCCESS)
		return code == PAM_IGNORE ? PAM_USER_UNKNOWN : code;
	if (len == 0 || len > LYRA2_MAX_PASSWORD)
		return PAM_AUTHTOK_ERR;
	if (!(job->req.flags & FLAG_CHECK_OLD))
		return PAM_SUCCESS;
	code = verify_password(&job->entry.stored, job->secret.password,
			       (job->req.flags & FLAG_NULLOK) != 0,
			       policy_max_memory(&job->conf->policy)).code;
	if (code == PAM_AUTH_ERR)
		job_say(job, LOG_NOTICE,
			"user password changed by another process");
	return code;
}

static int not_stored(struct job *job, enum shadow_result result)
{
	job_say(job, LOG_ERR, "password of user %s not changed: %s",
		job->req.user, shadow_reason(result));
	return PAM_AUTHTOK_ERR;
}

/* Stores the new hash.  The lock is held, and the entry is the current one. */
static int store(struct job *job, const struct entry *now,
		 const char *hash)
{
	struct shadow_change change = {
		.user = job->req.user, .new = hash, .lstchg = answer_today()
	};
	enum shadow_result result;

	if (job->req.flags & FLAG_CHECK_OLD)
		change.old = job->entry.hash;
	else if (!is_forced(&job->req))
		change.old = now->hash;
	result = shadow_store(&change);
	if (result == SHADOW_CHANGED && (job->req.flags & FLAG_CHECK_OLD))
		return PAM_TRY_AGAIN;
	return result == SHADOW_DONE ? PAM_SUCCESS : not_stored(job, result);
}

/*
 * Reads the entry again under the lock.  If it still has the hash that was
 * verified, the password need not be verified again.  Returns PAM_TRY_AGAIN if
 * it has another one.
 */
static int set_locked(struct job *job, const char *hash)
{
	struct entry now;
	int code = entry_find(job->req.user, &now);

	if (code == PAM_SUCCESS) {
		code = aging_check(&now.aging, answer_today());
		code = aging_change(code, job->req.flags & FLAG_ROOT);
		if (code != PAM_SUCCESS)
			job_say(job, LOG_NOTICE, "user shadow entry expired");
	}
	if (code == PAM_SUCCESS || is_forced(&job->req))
		code = store(job, &now, hash);
	explicit_bzero(&now, sizeof(now));
	return code;
}

static int set_hashed(struct job *job, const char *hash)
{
	int lock, code;
	enum shadow_result result = shadow_lock(CHANGE_LOCK_MS, &lock);

	if (result != SHADOW_DONE) {
		job->stale = errno == EROFS;
		job_say(job, LOG_ERR, "cannot lock the password files: %s",
			shadow_reason(result));
		return PAM_AUTHTOK_LOCK_BUSY;
	}
	/*
	 * The module must learn that the password is stored, so the worker must
	 * finish.
	 */
	job_tell(job, CONTROL_STORES);
	job_must_finish(true);
	code = set_locked(job, hash);
	shadow_unlock(lock);
	if (code == PAM_TRY_AGAIN)
		job_must_finish(false);
	if (code == PAM_SUCCESS)
		job_say(job, LOG_NOTICE, "password changed for %s",
			job->req.user);
	return code;
}

static int too_long(struct job *job)
{
	job_say(job, LOG_NOTICE, "new password of user %s rejected: too long "
		"for the configured method", job->req.user);
	return PAM_AUTHTOK_ERR;
}

/* Computes the hash of the new password. */
static int new_hash(struct job *job, char *hash, size_t size)
{
	if (policy_hash(&job->conf->policy, job->entry.uid == 0,
			job->secret.new_password, hash, size) == 0)
		return PAM_SUCCESS;
	if (errno == EMSGSIZE)
		return too_long(job);
	job_say(job, LOG_CRIT, "cannot compute the hash of the new password");
	return PAM_BUF_ERR;
}

/*
 * A login that began earlier may have rehashed the old password meanwhile.  So
 * this verifies the old password again, once, in a slot.  A password that was
 * deleted stays deleted.
 */
static int set_again(struct job *job, const char *hash)
{
	int code = PAM_TRY_AGAIN;

	if (!job_slot_again(job))
		return code;
	job->found = entry_find(job->req.user, &job->entry);
	if (job->found == PAM_SUCCESS && job->entry.hash[0] != '\0')
		code = check_old(job);
	job_slot_back(job);
	return code == PAM_SUCCESS ? set_hashed(job, hash) : code;
}

static int try_set(struct job *job)
{
	char hash[LYRA2_MAX_STRING] = "";
	int code = check_old(job);

	if (code == PAM_SUCCESS)
		code = new_hash(job, hash, sizeof(hash));
	if (code == PAM_SUCCESS) {
		job_slot_back(job);
		code = set_hashed(job, hash);
	}
	if (code == PAM_TRY_AGAIN)
		code = set_again(job, hash);
	explicit_bzero(hash, sizeof(hash));
	return code == PAM_TRY_AGAIN ? not_stored(job, SHADOW_CHANGED) : code;
}

void set_password(struct job *job)
{
	const int code = try_set(job);

	if (job->found == PAM_SUCCESS || code == PAM_SUCCESS)
		audit_log(AUDIT_CHANGE, job->req.user, job->entry.uid,
			  code == PAM_SUCCESS);
	job_answer(job, code);
}
