/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker and the scheduler tell each other. */
#include "job.h"

#include <poll.h>
#include <security/_pam_types.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"

void job_tell(const struct job *job, enum control_kind kind, uint32_t number)
{
	const struct control c = { kind, number };

	if (job->control >= 0)
		(void)send(job->control, &c, sizeof(c), MSG_NOSIGNAL);
}

/*
 * Reads a packet from the scheduler.  Returns false also if the scheduler has
 * ended.
 */
static bool hear(const struct job *job, struct control *c)
{
	return job->control >= 0 &&
		recv(job->control, c, sizeof(*c), 0) == sizeof(*c);
}

void job_forget_secret(struct job *job)
{
	explicit_bzero(&job->secret, sizeof(job->secret));
}

static void give_lock_back(struct job *job)
{
	job->has_slot = false;
	if (job->lock >= 0)
		close(job->lock);
	job->lock = -1;
}

void job_slot_back(struct job *job)
{
	if (job->has_slot)
		job_tell(job, CONTROL_DONE, 0);
	give_lock_back(job);
}

bool job_slot_again(struct job *job)
{
	struct control c;

	job_tell(job, CONTROL_AGAIN, 0);
	job->has_slot = hear(job, &c) && c.kind == CONTROL_AGAIN;
	return job->has_slot;
}

bool job_is_own(const struct job *job)
{
	return (job->entry.passwd == PAM_SUCCESS ||
		job->entry.passwd == PAM_IGNORE) &&
		job->entry.uid == job->owner;
}

void job_waits(const struct job *job, uint32_t seconds)
{
	if (seconds > 0) {
		alarm(WORK_SECONDS + seconds);
		answer_send(job->fd, REPLY_WAIT, (int)seconds);
	} else {
		answer_send(job->fd, REPLY_WORKING, 0);
	}
}

/*
 * Waits up to HEARTBEAT_MS for a packet from the scheduler.  Without one, tells
 * the module that the service lives.  Returns 1 if there is a packet, or the
 * scheduler's end; 0 if not; -1 if the module has gone.
 */
static int wait_for_word(const struct job *job)
{
	struct pollfd p[2] = {
		{ job->control, POLLIN, 0 }, { job->fd, POLLRDHUP, 0 }
	};
	const int n = poll(p, 2, HEARTBEAT_MS);

	if (n == 0)
		job_waits(job, 0);
	if (n > 0 && p[1].revents)
		return -1;
	return n > 0;
}

static enum leave wait_to_leave(const struct job *job)
{
	struct control c;
	int said;

	for (;;) {
		said = wait_for_word(job);
		if (said == 0)
			continue;
		if (said < 0 || !hear(job, &c))
			return LEAVE_AGAIN;
		if (c.kind == CONTROL_WAIT)
			job_waits(job, c.number);
		else
			return c.kind == CONTROL_LEAVE ? LEAVE_NOW :
				LEAVE_NEVER;
	}
}

enum leave job_may_leave(struct job *job, bool right)
{
	if (!job->braked) {
		job_slot_back(job);
		return LEAVE_NOW;
	}
	job_tell(job, right ? CONTROL_RIGHT : CONTROL_WRONG, job_is_own(job));
	give_lock_back(job);
	return wait_to_leave(job);
}

void job_was_free(struct job *job)
{
	job_tell(job, CONTROL_FREE, 0);
}

void job_must_finish(bool on)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	(void)sigprocmask(on ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
