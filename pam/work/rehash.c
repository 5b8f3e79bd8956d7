/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: rehashes the password as configured. */
#include "rehash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "answer.h"
#include "audit-log.h"
#include "log.h"
#include "pam/shadow/shadow.h"
#include "src/config/paths.h"

/* How long a rehash waits for another process that holds the lock. */
#define LOGIN_LOCK_MS 2000

#define DESCRIBE_BYTES 128

static enum shadow_result store(const struct shadow_change *change, int ms)
{
	int lock;
	enum shadow_result result = shadow_lock(ms, &lock);

	if (result != SHADOW_DONE)
		return result;
	/* A change must be in the log, too, so the worker must finish. */
	job_must_finish(true);
	result = shadow_store(change);
	shadow_unlock(lock);
	return result;
}

/* Computes the new hash only if it is likely that it can be stored. */
static enum shadow_result replace(struct job *job, char *hash, size_t size)
{
	struct shadow_change change = {
		.user = job->req.user, .old = job->entry.hash, .new = hash,
		.lstchg = -1
	};
	enum shadow_result result = shadow_check(&change);

	if (result != SHADOW_DONE)
		return result;
	if (policy_hash(&job->conf->policy, job->entry.uid == 0,
			job->secret.password, hash, size) < 0)
		return SHADOW_FAILED;
	job_slot_back(job);
	return store(&change, LOGIN_LOCK_MS);
}

/*
 * Returns true if the log of this boot already says why root's hash stays.
 * Otherwise notes that it does, so the caller must log it now.
 */
static bool said_of_root(void)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(PATH_ROOT_KEPT, flags, 0600);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EEXIST;
}

bool rehash_wanted(const struct job *job)
{
	const struct options *o = job->conf;
	const char *why, *user = job->req.user;
	struct account account;
	struct group group;
	char from[DESCRIBE_BYTES];
	enum next next;

	(void)group_read(&group, o->rehash_group, user);
	account = entry_account(&job->entry, user, &group, answer_today());
	account.password = job->secret.password;
	next = policy_next(&o->policy, &job->entry.stored, &account, &why);
	stored_describe(&job->entry.stored, from, sizeof(from));
	if (next == NEXT_PREVENTED && !(account.root && said_of_root()))
		log_line(LOG_NOTICE, "password of user %s not rehashed from "
			 "%s: %s", user, from, why);
	else if (next == NEXT_LOG)
		log_line(LOG_NOTICE, "password of user %s would be rehashed "
			 "from %s to %s", user, from, o->policy.method->name);
	group_free(&group);
	return next == NEXT_CONVERT;
}

void rehash_after_login(struct job *job)
{
	char hash[LYRA2_MAX_STRING] = "", from[DESCRIBE_BYTES];
	char to[DESCRIBE_BYTES];
	enum shadow_result result = replace(job, hash, sizeof(hash));
	struct stored new;

	if (result == SHADOW_FAILED && errno == EROFS)
		job_tell(job, CONTROL_STALE);
	stored_describe(&job->entry.stored, from, sizeof(from));
	if (result == SHADOW_DONE) {
		stored_read(&new, hash);
		stored_describe(&new, to, sizeof(to));
		job_tell(job, CONTROL_CONVERTED);
		log_line(LOG_NOTICE, "password of user %s rehashed from %s to "
			 "%s", job->req.user, from, to);
	} else {
		log_line(LOG_NOTICE, "password of user %s not rehashed from "
			 "%s: %s", job->req.user, from, shadow_reason(result));
	}
	audit_log(AUDIT_REHASH, job->req.user, job->entry.uid,
		  result == SHADOW_DONE);
	explicit_bzero(hash, sizeof(hash));
}
