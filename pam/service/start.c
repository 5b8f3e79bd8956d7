/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gives lyra2d a known state.
 *
 * The module starts "lyra2d --private" in programs such as su(1), which anyone
 * can start with any environment, limits, timers, masks and descriptors.  Where
 * a sandbox refuses a call, the login counts more than the state: lyra2d goes
 * on, unless a user could read its memory.
 */
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "src/config/paths.h"

#define MAX_FILES 8192		/* more than SERVICE_CONNECTIONS needs */
#define TIMER_SLACK_NS 50000	/* Linux's own; 0 would be the parent's */

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

/* Sets a limit, or without the right to do so, raises it as far as possible. */
static void set_limit(unsigned what, rlim_t value)
{
	struct rlimit limit = { value, value };

	if (setrlimit(what, &limit) == 0 || getrlimit(what, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(what, &limit);
}

static void set_limits(void)
{
	static const unsigned lifted[] = {
		RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_STACK,
		RLIMIT_NPROC
	};
	size_t i;

	for (i = 0; i < sizeof(lifted) / sizeof(lifted[0]); i++)
		set_limit(lifted[i], RLIM_INFINITY);
	set_limit(RLIMIT_NOFILE, MAX_FILES);
}

/*
 * Keeps the memory from core files and from other processes.  proot(1) reads
 * the arguments of each call from the memory: where it no longer can, calls
 * answer EFAULT, and it has to be let in again.  It traces lyra2d already, so
 * this shows nothing new to it.
 */
static void hide_memory(void)
{
	const struct rlimit no_core = { 0, 0 };
	const int hidden = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);

	if (setrlimit(RLIMIT_CORE, &no_core) < 0 && hidden < 0)
		_exit(4);
	if (access("/", F_OK) < 0 && errno == EFAULT)
		(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
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

	do {
		fd = open("/dev/null", O_RDWR);
		if (fd < 0)
			fd = open("/", O_RDONLY | O_DIRECTORY);
	} while (fd >= 0 && fd < STDERR_FILENO);
	if (fd < 0)
		_exit(4);
	if (fd > STDERR_FILENO)
		close(fd);
}

/*
 * Only the user ID protects the process.  If a user namespace refuses
 * setgroups(2), there are no such groups.
 */
static void become_root(void)
{
	(void)setgroups(0, NULL);
	(void)setresgid(0, 0, 0);
	if (setresuid(0, 0, 0) < 0)
		_exit(4);
}

/* struct sched_attr of sched_setattr(2), which not every C library has */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t least, most;	/* utilization; -1: the system's */
};

/* By its utilization, a user could keep the process on a slow CPU. */
static void reset_scheduling(void)
{
	const struct sched_param none = { .sched_priority = 0 };
	const struct attributes usual = {
		.size = sizeof(usual), .policy = SCHED_OTHER,
		.flags = 0x60 /* SCHED_FLAG_UTIL_CLAMP */,
		.least = UINT32_MAX, .most = UINT32_MAX
	};
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	(void)sched_setscheduler(0, SCHED_OTHER, &none);
	(void)setpriority(PRIO_PROCESS, 0, 0);
	(void)syscall(SYS_sched_setattr, 0, &usual, 0);
	(void)sched_setaffinity(0, sizeof(all), &all);
	(void)syscall(SYS_ioprio_set, 1, 0, 0 /* by nice */);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, text, strlen(text));
	close(fd);
}

/* What else a set-user-ID program inherits. */
static void reset_memory_and_timers(void)
{
	clear_timers();
	(void)prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS, 0, 0, 0);
	(void)prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	(void)syscall(SYS_set_mempolicy, 0 /* MPOL_DEFAULT */, NULL, 0);
	(void)personality(PER_LINUX);
	write_file("/proc/self/oom_score_adj", "0");
}

void start_clean(int only_root, int first_unknown)
{
	closefrom(first_unknown);
	if (only_root) {
		become_root();
		reset_scheduling();
		reset_memory_and_timers();
	}
	if (clearenv() != 0)
		_exit(4);
	(void)!chdir("/");
	umask(077);
	reset_signals();
	set_limits();
	hide_memory();
#ifdef M_PERTURB
	/* Freed memory is overwritten: it held lines of /etc/shadow. */
	mallopt(M_PERTURB, 0xff);
#endif
	open_descriptors();
}
