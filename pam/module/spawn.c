/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts a process that inherits nothing from the application.
 *
 * The application may have threads, so only async-signal-safe functions are
 * called between fork(2) and execve(2), see signal-safety(7).
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "pam/signals.h"

#define FIRST_FREE 3
#define MANY_FILES 65536	/* where close_range(2) is missing */

static void close_others(void)
{
	int fd;

#ifdef HAVE_CLOSE_RANGE
	if (close_range(FIRST_FREE, ~0U, 0) == 0)
		return;
#endif
	for (fd = FIRST_FREE; fd < MANY_FILES; fd++)
		close(fd);
}

/*
 * Works if the application has closed 0 to 2, so that the socket is one of
 * them, and if it has no descriptor left.
 */
static int arrange_descriptors(int sock)
{
	int null;

	if (dup2(sock, STDIN_FILENO) < 0 ||
	    fcntl(STDIN_FILENO, F_SETFD, 0) < 0)
		return -1;
	close_others();
	null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return -1;
	if (null >= FIRST_FREE)
		close(null);
	return 0;
}

/* Only root may send signals to a process whose IDs are all root's. */
static int become_root(void)
{
	if (geteuid() != 0)
		return 0;
	return setresgid(0, 0, 0) || setresuid(0, 0, 0) ? -1 : 0;
}

__attribute__((noreturn))
static void child(const char *path, int sock)
{
	char *const argv[] = { (char *)(uintptr_t)path, NULL };
	char *const environment[] = { NULL };

	/* The application's signal handlers must not run in the child. */
	signals_reset();
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
