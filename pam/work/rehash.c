/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: rehashes the password as configured. */
#include "rehash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "audit-log.h"
#include "log.h"
#include "pam/shadow/shadow.h"
#include "src/config/paths.h"

/* How long a rehash waits for another process that holds the lock. */
#define LOGIN_LOCK_MS 2000

#define DESCRIBE_BYTES 128
#define LINE_BYTES 1024
#define DAY_SECONDS (24 * 60 * 60)

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
 * Returns true if the file has this line since less than a day.  Otherwise
 * writes it.
 */
static bool has_line(int fd, const char *line)
{
	char had[LINE_BYTES] = "";
	struct stat st;
	time_t age;

	if (fstat(fd, &st) < 0 || pread(fd, had, sizeof(had) - 1, 0) < 0)
		return false;
	age = time(NULL) - st.st_mtime;
	if (strcmp(had, line) == 0 && age >= 0 && age < DAY_SECONDS)
		return true;
	if (ftruncate(fd, 0) == 0)
		(void)!pwrite(fd, line, strlen(line), 0);
	return false;
}

/*
 * Logs why a hash stays.  A user may log in, or call sudo(8), many times a day,
 * so an equal line about the user is left out for a day.  Where no file can be
 * made, each line is logged.
 */
__attribute__((format(printf, 2, 3)))
static void say_once_a_day(uid_t uid, const char *format, ...)
{
	const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
	char path[sizeof(PATH_SAID) + 16], line[LINE_BYTES] = "";
	va_list args;
	int fd;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	(void)mkdir(PATH_SAID, 0700);
	snprintf(path, sizeof(path), PATH_SAID "/%u", (unsigned)uid);
	fd = open(path, flags, 0600);
	if (fd < 0 || !has_line(fd, line))
		log_line(LOG_NOTICE, "%s", line);
	if (fd >= 0)
		close(fd);
}

bool rehash_wanted(const struct job *job)
{
	const struct options *o = job->conf;
	const char *why, *user = job->req.user;
	const uid_t uid = job->entry.uid;
	struct account account;
	struct group group;
	char from[DESCRIBE_BYTES];
	enum next next;

	(void)group_read(&group, o->rehash_group, user);
	account = entry_account(&job->entry, user, &group, answer_today());
	account.password = job->secret.password;
	next = policy_next(&o->policy, &job->entry.stored, &account, &why);
	stored_describe(&job->entry.stored, from, sizeof(from));
	if (next == NEXT_PREVENTED)
		say_once_a_day(uid, "password of user %s not rehashed from %s: "
			       "%s", user, from, why);
	else if (next == NEXT_LOG)
		say_once_a_day(uid, "password of user %s would be rehashed "
			       "from %s to %s", user, from,
			       o->policy.method->name);
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
