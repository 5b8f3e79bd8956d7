/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gives lyra2d a known state.
 *
 * The module starts "lyra2d --once" in programs such as su(1), which anyone
 * can start with any environment, limits, timers, masks and descriptors.
 */
#include "start.h"

#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "src/config/paths.h"

#define MAX_FILES 8192		/* more than serve.h needs */

void start_unblock(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void reset_signals(void)
{
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	start_unblock();
}

static void clear_timers(void)
{
	struct itimerval never = { { 0, 0 }, { 0, 0 } };

	alarm(0);
	setitimer(ITIMER_VIRTUAL, &never, NULL);
	setitimer(ITIMER_PROF, &never, NULL);
}

static void set_limits(void)
{
	static const unsigned lifted[] = {
		RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_STACK
	};
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	const struct rlimit no_core = { 0, 0 };
	const struct rlimit files = { MAX_FILES, MAX_FILES };
	size_t i;

	for (i = 0; i < sizeof(lifted) / sizeof(lifted[0]); i++)
		(void)setrlimit(lifted[i], &none);
	(void)setrlimit(RLIMIT_NOFILE, &files);
	if (setrlimit(RLIMIT_CORE, &no_core) < 0 ||
	    prctl(PR_SET_DUMPABLE, 0) < 0)
		_exit(4);
}

void start_directory(void)
{
	(void)mkdir(PATH_RUN, 0755);
	(void)chmod(PATH_RUN, 0755);
}

/*
 * Opens /dev/null as descriptors 0 to 2 if they are closed: libraries may write
 * to standard error.
 */
static void open_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < STDERR_FILENO);
	if (fd < 0)
		fd = open("/", O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		_exit(4);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* If a user namespace refuses setgroups(2), there are no such groups. */
static void become_root(void)
{
	(void)setgroups(0, NULL);
	if (setresgid(0, 0, 0) < 0 || setresuid(0, 0, 0) < 0)
		_exit(4);
}

static void reset_scheduling(void)
{
	const struct sched_param none = { .sched_priority = 0 };
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	(void)sched_setscheduler(0, SCHED_OTHER, &none);
	(void)setpriority(PRIO_PROCESS, 0, 0);
	(void)sched_setaffinity(0, sizeof(all), &all);
	(void)syscall(SYS_ioprio_set, 1, 0, 0 /* by nice */);
}

void start_clean(int only_root, int first_unknown)
{
	closefrom(first_unknown);
	if (only_root) {
		become_root();
		reset_scheduling();
		clear_timers();
	}
	if (clearenv() != 0 || chdir("/") < 0)
		_exit(4);
	umask(077);
	reset_signals();
	set_limits();
#ifdef M_PERTURB
	/* Freed memory is overwritten: it held lines of /etc/shadow. */
	mallopt(M_PERTURB, 0xff);
#endif
	open_descriptors();
	tzset();
	openlog("lyra2d", LOG_PID | LOG_NDELAY, LOG_AUTHPRIV);
}
