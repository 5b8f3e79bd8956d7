/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to be preloaded: a clock that is forty times as fast, for programs
 * that wait for minutes, but not for the time that is taken for silence.
 */
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	long rc = syscall(SYS_clock_gettime, id, t);
	long ns = t->tv_nsec * 40;

	t->tv_sec = t->tv_sec * 40 + ns / 1000000000;
	t->tv_nsec = ns % 1000000000;
	return (int)rc;
}

int poll(struct pollfd *p, nfds_t n, int ms)
{
	struct timespec t;

	if (ms > 6000)
		ms /= 40;
	t.tv_sec = ms / 1000;
	t.tv_nsec = ms % 1000 * 1000000L;
	return ppoll(p, n, &t, NULL);
}
