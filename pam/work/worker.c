/* SPDX-License-Identifier: BSD-2-Clause */
/* One request that takes a hash: see the rules in worker.h. */
#include "worker.h"

#include <fcntl.h>
#include <security/_pam_types.h>
#include <string.h>
#include <sys/resource.h>
#include <syslog.h>

#include "answer.h"
#include "pam/protocol/clock.h"
#include "rehash.h"
#include "set-password.h"
#include "verify.h"

#define SPARE_BYTES (UINT64_C(32) << 20)

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Sanitizers reserve terabytes of addresses. */
static void limit_memory(const struct job *job)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(LYRA2_SANITIZED)
	const struct policy *p = &job->conf->policy;
	uint64_t most = larger(lyra2_memory(&p->params), p->new_memory);
	struct rlimit limit;

	if (job->entry.stored.memory <= policy_max_memory(p))
		most = larger(most, job->entry.stored.memory);
	limit.rlim_cur = limit.rlim_max = (rlim_t)(most + SPARE_BYTES);
	if (setrlimit(RLIMIT_AS, &limit) < 0)
		syslog(LOG_WARNING, "cannot limit the memory of a hash: %m");
#else
	(void)job;
#endif
}

/* The name of an unknown user is not logged: it may be a password. */
static void log_verdict(const struct request *req, int code)
{
	bool right = code == PAM_SUCCESS;

	if (code != PAM_AUTH_ERR && !right)
		return;
	if (req->caller != 0)
		syslog(right ? LOG_INFO : LOG_NOTICE,
		       "password check %s for user (%s) [UID=%lu]",
		       right ? "passed" : "failed", req->user,
		       (unsigned long)req->caller);
	else if (!right)
		syslog(LOG_NOTICE, "password check failed for user (%s)",
		       req->user);
}

/* Returns whether the verdict has arrived. */
static bool wait_until_counted(const struct job *job)
{
	const int64_t end = clock_ms() + COUNT_MS;
	bool got = false;
	enum tell what;

	while (request_wait(job->fd, (int)(end - clock_ms())) &&
	       tell_recv(job->fd, &what) == 0) {
		got = true;
		if (what != TELL_COUNTED)
			continue;
		job_tell(job, CONTROL_COUNTED);
		return true;
	}
	if (job->req.caller != 0 && clock_ms() < end)
		syslog(LOG_NOTICE, "who asked for user (%s) went away before "
		       "the answer was counted [UID=%lu] tty=%s",
		       job->req.user, (unsigned long)job->req.caller,
		       job->req.tty);
	return got;
}

static struct verify_result compute(const struct job *job)
{
	struct verify_result v = { .code = job->found };

	if (job->found == PAM_SUCCESS)
		v = verify_password(&job->entry.stored, job->secret.password,
				    (job->req.flags & FLAG_NULLOK) != 0,
				    policy_max_memory(&job->conf->policy));
	if (v.why)
		answer_log(job->fd, LOG_ERR, "password hash of user %s "
			   "refused: %s", job->req.user, v.why);
	return v;
}

/*
 * A user sees when the own next turn comes, and must not learn from it what a
 * program of root's was told.  A program of the user's own may know, and nobody
 * believes it that it has counted.
 */
static bool owes_count(const struct job *job, int code)
{
	return code == PAM_AUTH_ERR || (code == PAM_SUCCESS && job->for_root);
}

static void verify(struct job *job)
{
	struct verify_result v = compute(job);
	const bool by_user = job->req.caller != 0;

	if (v.code != PAM_SUCCESS || by_user)
		verify_even_out(&v, &job->entry.stored, job->secret.password,
				&job->conf->policy.params);
	job_slot_back(job, by_user && owes_count(job, v.code));
	log_verdict(&job->req, v.code);
	answer_send(job->fd, REPLY_VERDICT, v.code);
	if (wait_until_counted(job) && v.code == PAM_SUCCESS &&
	    !(job->req.flags & FLAG_NO_REHASH) && rehash_wanted(job) &&
	    job_slot_again(job))
		rehash_after_login(job);
}

/* What is wrong with the file is for the administrator, with its place. */
static void look_up(struct job *job)
{
	job->found = entry_find(job->req.user, &job->entry);
	if (job->entry.damage)
		answer_log(job->fd, LOG_ERR, "user %s: %s", job->req.user,
			   job->entry.damage);
	else if (job->found == PAM_AUTHINFO_UNAVAIL)
		answer_log(job->fd, LOG_DEBUG, "no shadow entry of user %s can "
			   "be read", job->req.user);
}

void worker_run(struct job *job)
{
	if (secret_recv(job->fd, &job->secret) == 0) {
		answer_send(job->fd, REPLY_WORKING, 0);
		look_up(job);
		limit_memory(job);
		if (job->req.op == OP_SET)
			answer_send(job->fd, REPLY_VERDICT,
				    set_password(job));
		else
			verify(job);
	}
	explicit_bzero(job, sizeof(*job));
}
