/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library in /etc/ld.so.preload makes time RATE times as fast, also for
 * set-user-ID programs: clocks say more, and waits end sooner.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static long long ns(const struct timespec *t)
{
	return t->tv_sec * SECOND + t->tv_nsec;
}

static struct timespec spec(long long n)
{
	struct timespec t = { n / SECOND, n % SECOND };

	return t;
}

static long long raw(clockid_t id)
{
	struct timespec t = { 0, 0 };

	syscall(SYS_clock_gettime, id, &t);
	return ns(&t);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	long rc = syscall(SYS_clock_gettime, id, t);

	if (rc == 0 && id != CLOCK_PROCESS_CPUTIME_ID &&
	    id != CLOCK_THREAD_CPUTIME_ID)
		*t = spec(ns(t) + (RATE - 1) * raw(CLOCK_MONOTONIC));
	return (int)rc;
}

time_t time(time_t *out)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}

int gettimeofday(struct timeval *out, void *zone)
{
	struct timespec t;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	out->tv_sec = t.tv_sec;
	out->tv_usec = t.tv_nsec / 1000;
	return 0;
}

/* What is left until then, or of a duration, on the kernel's clock. */
static struct timespec less(clockid_t id, int flags, const struct timespec *t)
{
	struct timespec now = { 0, 0 };
	long long left;

	if (flags & TIMER_ABSTIME)
		clock_gettime(id, &now);
	left = ns(t) - ns(&now);
	/* 0 would disarm a timer. */
	return spec(ns(t) == 0 ? 0 : left < RATE ? 1 : left / RATE);
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *t,
		    struct timespec *left)
{
	struct timespec wait = less(id, flags, t);

	return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wait, left) ?
		errno : 0;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
	return errno ? -1 : 0;
}

unsigned sleep(unsigned seconds)
{
	struct timespec t = { seconds, 0 };

	return nanosleep(&t, NULL) != 0;
}

int usleep(useconds_t us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000L };

	return nanosleep(&t, NULL);
}

int ppoll(struct pollfd *p, nfds_t n, const struct timespec *t,
	  const sigset_t *set)
{
	struct timespec wait;

	if (t)
		wait = less(CLOCK_MONOTONIC, 0, t);
	return (int)syscall(SYS_ppoll, p, n, t ? &wait : NULL, set, 8);
}

int poll(struct pollfd *p, nfds_t n, int ms)
{
	struct timespec t = spec(ms * 1000000LL);

	return ppoll(p, n, ms < 0 ? NULL : &t, NULL);
}

static struct timeval sooner(struct timeval t)
{
	long long us = (t.tv_sec * 1000000LL + t.tv_usec + RATE - 1) / RATE;
	struct timeval result = { us / 1000000, us % 1000000 };

	return result;
}

int setitimer(__itimer_which_t which, const struct itimerval *new,
	      struct itimerval *old)
{
	struct itimerval it = {
		sooner(new->it_interval), sooner(new->it_value),
	};

	return (int)syscall(SYS_setitimer, which, &it, old);
}

unsigned alarm(unsigned seconds)
{
	struct itimerval it = { { 0, 0 }, { seconds, 0 } };

	return (unsigned)setitimer(ITIMER_REAL, &it, NULL);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new,
		    struct itimerspec *old)
{
	struct itimerspec it;

	it.it_value = less(CLOCK_MONOTONIC, flags, &new->it_value);
	it.it_interval = less(CLOCK_MONOTONIC, 0, &new->it_interval);
	return (int)syscall(SYS_timerfd_settime, fd, 0, &it, old);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	struct timeval t;

	if (level == SOL_SOCKET && len == sizeof(t) &&
	    (name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
		memcpy(&t, value, sizeof(t));
		t = sooner(t);
		value = &t;
	}
	return (int)syscall(SYS_setsockopt, fd, level, name, value, len);
}
