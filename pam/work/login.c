/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers OP_VERIFY: see the rules in worker.h. */
#include "login.h"

#include <security/_pam_types.h>
#include <syslog.h>

#include "rehash.h"
#include "verify.h"

static struct verify_result compute(struct job *job)
{
	struct verify_result v = { .code = job->found };

	if (job->found == PAM_SUCCESS)
		v = verify_password(&job->entry.stored, job->secret.password,
				    (job->req.flags & FLAG_NULLOK) != 0,
				    policy_max_memory(&job->conf->policy));
	/*
	 * A user may have taken the memory, so that the next module verifies
	 * guesses without a brake.
	 */
	if (v.why && v.code == PAM_AUTHINFO_UNAVAIL && job->req.caller != 0)
		v.code = PAM_CRED_UNAVAIL;
	if (v.why)
		job_say(job, LOG_ERR, "password hash of user %s refused: %s",
			job->req.user, v.why);
	return v;
}

/* The answer may have waited for long, so the configuration may be another. */
static void rehash(struct job *job)
{
	job->conf = job->configuration();
	if (rehash_wanted(job) && job_slot_again(job))
		rehash_after_login(job);
}

/*
 * While the brake may hold the answer, each user can see in /proc whether this
 * process lives.  So it waits for the module whether the password was correct
 * or not.  Only root's programs have no brake.
 */
void login_verify(struct job *job)
{
	struct verify_result v = compute(job);
	bool may_rehash;

	if (v.code != PAM_SUCCESS || job->req.caller != 0)
		verify_even_out(&v, &job->entry.stored, job->secret.password,
				&job->conf->policy.params);
	may_rehash = v.code == PAM_SUCCESS &&
		!(job->req.flags & FLAG_NO_REHASH);
	if (!may_rehash)
		job_forget_secret(job);
	job_answer(job, v.code);
	if ((may_rehash || job->req.caller != 0) && job_is_got(job) &&
	    may_rehash)
		rehash(job);
}
