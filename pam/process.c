/* SPDX-License-Identifier: BSD-2-Clause */
/* What a new process finds. */
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

bool process_is_root(void)
{
	uid_t ru, eu, su;
	gid_t rg, eg, sg;

	return getresuid(&ru, &eu, &su) == 0 && ru == 0 && eu == 0 &&
		su == 0 && getresgid(&rg, &eg, &sg) == 0 && rg == 0 &&
		eg == 0 && sg == 0;
}

int process_open_null(void)
{
	int fd = open("/dev/null", O_RDWR);

	return fd >= 0 ? fd : open("/", O_RDONLY | O_DIRECTORY);
}

int process_make_killer(timer_t *timer)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL
	};

	return timer_create(CLOCK_MONOTONIC, &event, timer);
}

int process_kill_after(timer_t timer, time_t seconds)
{
	const struct itimerspec limit = { .it_value = { seconds, 0 } };

	return timer_settime(timer, 0, &limit, NULL);
}
