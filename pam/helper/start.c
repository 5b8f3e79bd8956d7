/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gives a helper a known state, whatever it inherited from its caller.
 *
 * lyra2_chkpwd is set-group-id and can be started by anyone, with any
 * environment, limits, timers, masks and descriptors.  lyra2_update runs as
 * root for su(1) and others that anyone can start.
 */
#include "start.h"

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
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

#include "pam/process.h"
#include "pam/request.h"
#include "pam/signals.h"

/* unix_chkpwd(8) also sleeps when it is started by hand. */
#define MISUSE_SECONDS 10
#define TIMER_SLACK_NS 50000	/* the kernel's default */
#define MIN_FILES 16		/* descriptors that the helpers may need */

static void misuse(void)
{
	syslog(LOG_NOTICE,
	       "inappropriate use of Unix helper binary [UID=%lu]",
	       (unsigned long)getuid());
	sleep(MISUSE_SECONDS);
	_exit(4);
}

/* Root raises the limit fully, other users up to their hard limit. */
static void lift_limit(unsigned what)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	if ((getuid() == 0 && setrlimit(what, &limit) == 0) ||
	    getrlimit(what, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(what, &limit);
}

/* If failures cannot be logged, the caller must not get a verdict. */
static void set_file_limit(void)
{
	struct rlimit limit = { 1024, 1024 };

	if (getuid() == 0 && setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 ||
	    limit.rlim_max < MIN_FILES)
		_exit(4);
	limit.rlim_cur = limit.rlim_max < 1024 ? limit.rlim_max : 1024;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void set_limits(void)
{
	struct rlimit no_core = { 0, 0 };

	lift_limit(RLIMIT_FSIZE);
	lift_limit(RLIMIT_AS);
	lift_limit(RLIMIT_DATA);
	lift_limit(RLIMIT_CPU);
	lift_limit(RLIMIT_STACK);	/* it is read when the stack grows */
	lift_limit(RLIMIT_SIGPENDING);
	set_file_limit();
	if (setrlimit(RLIMIT_CORE, &no_core) < 0 ||
	    prctl(PR_SET_DUMPABLE, 0) < 0)
		_exit(4);
}

static void set_signals(void)
{
	struct itimerval never = { { 0, 0 }, { 0, 0 } };

	signals_reset();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	setitimer(ITIMER_VIRTUAL, &never, NULL);
	setitimer(ITIMER_PROF, &never, NULL);
	alarm(HELPER_SECONDS);
}

/* Standard error must be open: libraries may write messages to it. */
static void open_descriptors(void)
{
	int fd;

	do
		fd = process_open_null();
	while (fd >= 0 && fd < STDERR_FILENO);
	if (fd < 0)
		_exit(4);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* If this fails, nobody has misused the helper, and nobody should wait. */
static bool is_socket(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		_exit(4);
	return S_ISSOCK(st.st_mode);
}

void start_helper(const char *name, int argc)
{
	if (clearenv() != 0 || chdir("/") < 0)
		_exit(4);
	umask(077);
	set_signals();
	set_limits();
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
#ifdef M_PERTURB
	/* Freed memory is overwritten: it held lines of /etc/shadow. */
	mallopt(M_PERTURB, 0xff);
#endif
	open_descriptors();
	/* Now, so that no file has to be opened later to log a failure. */
	tzset();
	openlog(name, LOG_PID | LOG_NDELAY, LOG_AUTHPRIV);
	if (argc != 1 || !is_socket(STDIN_FILENO))
		misuse();
}

/* Calls nothing without need: see pam/process.h. */
void start_reset_scheduling(void)
{
	struct sched_param none = { .sched_priority = 0 };
	cpu_set_t all, some;

	if (geteuid() != 0)
		return;
	memset(&all, 0xff, sizeof(all));
	if (sched_getscheduler(0) != SCHED_OTHER)
		sched_setscheduler(0, SCHED_OTHER, &none);
	if (getpriority(PRIO_PROCESS, 0) != 0)
		setpriority(PRIO_PROCESS, 0, 0);
	if (sched_getaffinity(0, sizeof(some), &some) < 0 ||
	    CPU_COUNT(&some) < sysconf(_SC_NPROCESSORS_ONLN))
		sched_setaffinity(0, sizeof(all), &all);
	if (syscall(SYS_ioprio_get, 1 /* of this process */, 0) != 0)
		syscall(SYS_ioprio_set, 1, 0, 0 /* by nice */);
}

void start_drop_privileges(void)
{
	uid_t uid = getuid(), old_uid = geteuid();
	gid_t gid = getgid(), old_gid = getegid();
	uid_t ru, eu, su;
	gid_t rg, eg, sg;

	if (uid == 0)
		return;		/* root has nothing to drop */
	if (getresgid(&rg, &eg, &sg) < 0 || getresuid(&ru, &eu, &su) < 0)
		_exit(4);
	if (eg == gid && sg == gid && eu == uid && su == uid)
		return;		/* nor has who got nothing */
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0 ||
	    getresgid(&rg, &eg, &sg) < 0 || getresuid(&ru, &eu, &su) < 0 ||
	    rg != gid || eg != gid || sg != gid || ru != uid || eu != uid ||
	    su != uid)
		_exit(4);
	if ((old_gid != gid && setregid((gid_t)-1, old_gid) == 0) ||
	    (old_uid != uid && setreuid((uid_t)-1, old_uid) == 0))
		_exit(4);
	/* The kernel may have set this again with the IDs. */
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		_exit(4);
}
