/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker and the service tell each other. */
#include "job.h"

#include <security/_pam_types.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Without memory for the packet, the service takes the worker for dead. */
static void tell(const struct job *job, const struct control *c)
{
	if (send(job->control, c, sizeof(*c), MSG_NOSIGNAL) < 0)
		(void)shutdown(job->control, SHUT_RDWR);
}

void job_tell(const struct job *job, enum control_kind kind)
{
	const struct control c = { .kind = kind };

	tell(job, &c);
}

/*
 * Waits for a packet of this kind.  Returns false also if the service has
 * ended, or the connection.
 */
static bool hear(const struct job *job, enum control_kind kind)
{
	struct control c;

	return recv(job->control, &c, sizeof(c), 0) == sizeof(c) &&
		c.kind == kind;
}

void job_say(struct job *job, int priority, const char *format, ...)
{
	va_list args;

	job->verdict.priority = (uint32_t)priority;
	va_start(args, format);
	vsnprintf(job->verdict.text, sizeof(job->verdict.text), format, args);
	va_end(args);
}

static bool is_own(const struct job *job)
{
	return job->entry.passwd == PAM_SUCCESS &&
		job->entry.uid == job->req.caller;
}

static void give_turn_back(struct job *job)
{
	if (job->has_slot && job->turn)
		job->turn(&job->req, false);
	job->has_slot = false;
}

void job_answer(struct job *job, int code)
{
	struct control c = {
		.kind = CONTROL_VERDICT, .own = is_own(job),
		.verdict = job->verdict
	};

	if (job->stale && !job->turn)
		c.kind = CONTROL_STALE;
	c.verdict.kind = REPLY_VERDICT;
	c.verdict.number = code;
	give_turn_back(job);
	tell(job, &c);
}

bool job_is_got(struct job *job)
{
	const bool got = hear(job, CONTROL_GOT);

	alarm(WORK_SECONDS);
	return got;
}

void job_forget_secret(struct job *job)
{
	explicit_bzero(&job->secret, sizeof(job->secret));
}

void job_slot_back(struct job *job)
{
	if (job->has_slot)
		job_tell(job, CONTROL_DONE);
	give_turn_back(job);
}

bool job_slot_again(struct job *job)
{
	job_tell(job, CONTROL_AGAIN);
	job->has_slot = hear(job, CONTROL_AGAIN);
	if (job->has_slot && job->turn)
		job->turn(&job->req, true);
	return job->has_slot;
}

void job_must_finish(bool on)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	(void)sigprocmask(on ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
