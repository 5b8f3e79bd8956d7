/* SPDX-License-Identifier: BSD-2-Clause */
/* One request that takes a hash: see the rules in worker.h. */
#include "worker.h"

#include <security/_pam_types.h>
#include <string.h>
#include <sys/resource.h>
#include <syslog.h>

#include "log.h"

#define SPARE_BYTES (UINT64_C(32) << 20)

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * Limits the worker's memory, except with sanitizers, which reserve terabytes
 * of addresses.  The limit is a soft one: pam/shadow/shadow.c lifts it while it
 * has the whole file in memory.
 */
static void limit_memory(const struct job *job)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(LYRA2_SANITIZED)
	const struct policy *p = &job->conf->policy;
	uint64_t most = larger(lyra2_memory(&p->params), p->new_memory);
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	if (job->entry.stored.memory <= policy_max_memory(p))
		most = larger(most, job->entry.stored.memory);
	if (getrlimit(RLIMIT_AS, &limit) == 0 &&
	    most + SPARE_BYTES < limit.rlim_max)
		limit.rlim_cur = (rlim_t)(most + SPARE_BYTES);
	if (setrlimit(RLIMIT_AS, &limit) < 0)
		log_line(LOG_WARNING, "cannot limit the memory of a hash: %m");
#else
	(void)job;
#endif
}

/*
 * Looks the user up.  Logs a damaged line with file and number, for the
 * administrator.
 */
static void look_up(struct job *job)
{
	job->found = entry_find(job->req.user, &job->entry);
	if (job->entry.damage)
		job_say(job, LOG_ERR, "user %s: %s", job->req.user,
			job->entry.damage);
	else if (job->found == PAM_AUTHINFO_UNAVAIL)
		job_say(job, LOG_DEBUG, "no shadow entry of user %s can be "
			"read", job->req.user);
}

void worker_run(struct job *job)
{
	if (secret_recv(job->fd, &job->secret) == 0) {
		look_up(job);
		limit_memory(job);
		job->work(job);
	}
	explicit_bzero(job, sizeof(*job));
}
