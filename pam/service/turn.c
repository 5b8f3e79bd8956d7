/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of private services: see the rules in turn.h. */
#include "turn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "src/config/paths.h"

#define TICK_US 100000		/* a signal that comes too early comes again */

static int own = -1, shared = -1;

static void wake(int sig)
{
	(void)sig;
}

static void start_tick(void)
{
	const struct itimerval tick = { { 0, TICK_US }, { 0, TICK_US } };
	const struct sigaction action = { .sa_handler = wake };

	(void)sigaction(SIGALRM, &action, NULL);
	(void)setitimer(ITIMER_REAL, &tick, NULL);
}

/* In this order: a last tick must find its handler. */
static void stop_tick(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	const struct sigaction action = { .sa_handler = SIG_DFL };

	(void)setitimer(ITIMER_REAL, &never, NULL);
	(void)sigaction(SIGALRM, &action, NULL);
}

/*
 * Waits for the lock of a file, which only root can open.  Returns -1 without a
 * descriptor, and after the time.
 */
static int lock(const char *kind, unsigned long number, int seconds)
{
	const int64_t end = clock_ms() + seconds * INT64_C(1000);
	char path[sizeof(PATH_TURNS) + 32];
	int fd, rc;

	snprintf(path, sizeof(path), PATH_TURNS "/%s.%lu", kind, number);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY |
		  O_NONBLOCK, 0600);
	if (fd < 0)
		return -1;
	start_tick();
	do
		rc = flock(fd, LOCK_EX);
	while (rc < 0 && errno == EINTR && clock_ms() < end);
	stop_tick();
	if (rc == 0 || errno != EINTR)
		return fd;
	close(fd);
	errno = EINTR;
	return -1;
}

static bool move(const char *directory)
{
	char path[128];
	int fd;
	bool is;

	snprintf(path, sizeof(path), PATH_CGROUP "%s/cgroup.procs", directory);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	is = fd >= 0 && write(fd, "0", 1) == 1;
	if (fd >= 0)
		close(fd);
	return is;
}

/*
 * In a container, init.scope may be the only other cgroup.  The first version
 * of cgroups has a tree for each controller.
 */
static void leave_cgroup(void)
{
	if (!move(""))
		(void)move("/init.scope");
	(void)move("/freezer");
	(void)move("/pids");
}

static void give_back(void)
{
	if (shared >= 0)
		close(shared);
	if (own >= 0)
		close(own);
	own = shared = -1;
}

void turn(const struct request *req, bool take)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const unsigned long number = (unsigned long)getpid() %
		(unsigned long)(cpus > 0 ? cpus : 1);

	if (!take) {
		give_back();
		return;
	}
	(void)mkdir(PATH_TURNS, 0700);
	if (req->caller == 0) {
		shared = lock("root", number, TURN_ROOT_SECONDS);
	} else {
		own = lock("user", req->caller, TURN_USER_SECONDS);
		if (own < 0 && errno == EINTR)
			_exit(0);
		leave_cgroup();
		shared = lock("all", number, 1);
	}
	alarm(WORK_SECONDS);
}
