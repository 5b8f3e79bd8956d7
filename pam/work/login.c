/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers OP_VERIFY: see the rules in worker.h. */
#include "login.h"

#include <security/_pam_types.h>
#include <syslog.h>

#include "answer.h"
#include "pam/protocol/clock.h"
#include "rehash.h"
#include "verify.h"

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

/* The same holds here: only /etc/passwd says what is a name. */
static void log_gone(const struct job *job)
{
	const bool known = job->entry.passwd == PAM_SUCCESS ||
		job->entry.passwd == PAM_IGNORE;

	syslog(LOG_NOTICE, "who asked for user (%s) went away before the "
	       "answer was counted [UID=%lu] tty=%s",
	       known ? job->req.user : "unknown",
	       (unsigned long)job->req.caller, job->req.tty);
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
		log_gone(job);
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

void login_verify(struct job *job)
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
