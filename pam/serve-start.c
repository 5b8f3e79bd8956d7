/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve-start.c - makes a process out of whatever the caller made of it.
 *
 * lyra2_chkpwd is set-group-id and can be started by anyone, with any
 * environment, limits, timers, masks and descriptors.
 */
#include "serve.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <syslog.h>
#include <unistd.h>

/* The wait for a slot, two hashes and a write, many times over. */
#define LIFE_SECONDS 180
/* As unix_chkpwd(8) does to whoever tries it out by hand. */
#define MISUSE_SECONDS 10

static void misuse(void)
{
	openlog("lyra2", LOG_PID, LOG_AUTHPRIV);
	syslog(LOG_NOTICE,
	       "inappropriate use of Unix helper binary [UID=%lu]",
	       (unsigned long)getuid());
	sleep(MISUSE_SECONDS);
	_exit(4);
}

/* Root gets what the caller may have been short of; others what they may. */
static void lift_limit(unsigned what)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	if ((getuid() == 0 && setrlimit(what, &limit) == 0) ||
	    getrlimit(what, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(what, &limit);
}

static void set_limits(void)
{
	struct rlimit no_core = { 0, 0 };

	lift_limit(RLIMIT_FSIZE);
	lift_limit(RLIMIT_AS);
	lift_limit(RLIMIT_DATA);
	lift_limit(RLIMIT_CPU);
	if (setrlimit(RLIMIT_CORE, &no_core) || prctl(PR_SET_DUMPABLE, 0))
		_exit(4);
}

static void reset_signals(void)
{
	struct itimerval never = { { 0, 0 }, { 0, 0 } };
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	setitimer(ITIMER_VIRTUAL, &never, NULL);
	setitimer(ITIMER_PROF, &never, NULL);
	alarm(LIFE_SECONDS);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Standard error must be something: logs of libraries may go there. */
static void check_descriptors(void)
{
	struct stat st;

	if (fcntl(STDERR_FILENO, F_GETFD) < 0 &&
	    open("/dev/null", O_RDWR) < 0)
		_exit(4);
	if (fstat(STDIN_FILENO, &st) || !S_ISSOCK(st.st_mode))
		misuse();
}

void serve_start(int argc)
{
	if (clearenv())
		_exit(4);
	umask(077);
	if (chdir("/"))
		_exit(4);
	reset_signals();
	check_descriptors();
	if (argc != 1)
		misuse();
	set_limits();
}

void serve_drop_privileges(void)
{
	uid_t uid = getuid(), old_uid = geteuid();
	gid_t gid = getgid(), old_gid = getegid();
	uid_t ru, eu, su;
	gid_t rg, eg, sg;

	if (uid == 0)
		return;		/* root gives nothing up by this */
	if (setresgid(gid, gid, gid) || setresuid(uid, uid, uid) ||
	    getresgid(&rg, &eg, &sg) || getresuid(&ru, &eu, &su) ||
	    rg != gid || eg != gid || sg != gid || ru != uid || eu != uid ||
	    su != uid)
		_exit(4);
	if ((old_gid != gid && setregid((gid_t)-1, old_gid) == 0) ||
	    (old_uid != uid && setreuid((uid_t)-1, old_uid) == 0))
		_exit(4);
}
