/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker and the scheduler tell each other. */
#include "job.h"

#include <sys/socket.h>
#include <unistd.h>

void job_tell(const struct job *job, enum control what)
{
	const char byte = (char)what;

	if (job->control >= 0)
		(void)send(job->control, &byte, 1, MSG_NOSIGNAL);
}

void job_slot_back(struct job *job, bool owes)
{
	if (job->has_slot)
		job_tell(job, owes ? CONTROL_OWES : CONTROL_DONE);
	job->has_slot = false;
	if (job->lock >= 0)
		close(job->lock);
	job->lock = -1;
}

bool job_slot_again(struct job *job)
{
	char byte = 0;

	job_tell(job, CONTROL_AGAIN);
	job->has_slot = job->control >= 0 &&
		recv(job->control, &byte, 1, 0) == 1 && byte == CONTROL_AGAIN;
	return job->has_slot;
}
