/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers OP_VERIFY: see the rules in worker.h. */
#include "login.h"

#include <security/_pam_types.h>
#include <string.h>
#include <syslog.h>

#include "answer.h"
#include "pam/protocol/clock.h"
#include "rehash.h"
#include "verify.h"

/*
 * Logs the result.  The name of an unknown user is left out: it may be a
 * password.
 */
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

/*
 * Waits for TELL_GOT and TELL_FREE.  Returns true if the module has the result.
 * In passwd(1) no other module decides whether the user is let in, and the user
 * then types for a while.
 */
static bool wait_until_free(struct job *job)
{
	const int64_t end = clock_ms() + FREE_MS;
	bool got = false;
	enum tell what;

	if (job->req.flags & FLAG_NO_REHASH) {
		job->was_free(job);
		return false;
	}
	while (request_wait(job->fd, (int)(end - clock_ms())) &&
	       tell_recv(job->fd, &what) == 0) {
		got = true;
		if (what != TELL_FREE)
			continue;
		job->was_free(job);
		return true;
	}
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

/* An answer that says nothing about a password may leave at once. */
static enum leave may_leave(struct job *job, int code)
{
	if (code == PAM_SUCCESS)
		return job->may_leave(job, true);
	job_forget_secret(job);
	if (code == PAM_AUTH_ERR)
		return job->may_leave(job, false);
	job_slot_back(job);
	return LEAVE_NOW;
}

static void rehash(struct job *job)
{
	if (!(job->req.flags & FLAG_NO_REHASH) && rehash_wanted(job) &&
	    job_slot_again(job))
		rehash_after_login(job);
}

void login_verify(struct job *job)
{
	struct verify_result v = compute(job);

	if (v.code != PAM_SUCCESS || job->req.caller != 0)
		verify_even_out(&v, &job->entry.stored, job->secret.password,
				&job->conf->policy.params);
	switch (may_leave(job, v.code)) {
	case LEAVE_NOW:
		log_verdict(&job->req, v.code);
		answer_send(job->fd, REPLY_VERDICT, v.code);
		job_tell(job, CONTROL_ANSWERED, 0);
		if (v.code == PAM_SUCCESS && wait_until_free(job))
			rehash(job);
		break;
	case LEAVE_NEVER:
		answer_send(job->fd, REPLY_VERDICT, PAM_CRED_UNAVAIL);
		break;
	case LEAVE_AGAIN:
		answer_send(job->fd, REPLY_AGAIN, 0);
		break;
	}
}
