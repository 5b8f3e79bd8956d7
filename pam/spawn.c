/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * spawn.c - a process that has nothing of the application.
 *
 * The application may have threads: between fork(2) and execve(2) stand
 * async-signal-safe calls only, see signal-safety(7).
 */
#include "config.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_FREE 3
#define MANY_FILES 65536	/* where close_range(2) is missing */

/*
 * The socket moves out of the way first, for it may be one of 0 to 2; that
 * also works where the application has closed those.
 */
static int arrange_descriptors(int sock)
{
	int in = fcntl(sock, F_DUPFD, FIRST_FREE), null, fd;

	if (in < 0 || dup2(in, STDIN_FILENO) < 0)
		return -1;
	null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return -1;
#ifdef HAVE_CLOSE_RANGE
	if (close_range(FIRST_FREE, ~0U, 0) == 0)
		return 0;
#endif
	for (fd = FIRST_FREE; fd < MANY_FILES; fd++)
		close(fd);
	return 0;
}

/* Nobody but root may send signals to a process of root alone. */
static int become_root(void)
{
	if (geteuid() != 0)
		return 0;
	return setresgid(0, 0, 0) || setresuid(0, 0, 0) ? -1 : 0;
}

/* The application's handlers must not run here, nor what it ignores last. */
static void reset_signals(void)
{
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn))
static void child(const char *path, int sock)
{
	char *const argv[] = { (char *)(uintptr_t)path, NULL };
	char *const environment[] = { NULL };

	reset_signals();
	umask(077);
	if (become_root() == 0 && arrange_descriptors(sock) == 0 &&
	    setsid() >= 0 && chdir("/") == 0)
		execve(path, argv, environment);
	_exit(127);
}

pid_t spawn_helper(const char *path, int sock)
{
	sigset_t all, old;
	pid_t pid;
	int saved;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (pid == 0)
		child(path, sock);
	saved = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	return pid;
}
