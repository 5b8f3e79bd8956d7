/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts "lyra2d --once" so that the application does not notice it.
 *
 * The application may have a handler of SIGCHLD, ignore that signal, or wait
 * for any child in another thread.  So its child here is one that sends no
 * signal at its end, and that only a call with __WCLONE can wait for.
 * execve(2) would make it a usual child; therefore it starts lyra2d as a child
 * of its own and ends at once, and lyra2d becomes a child of init.
 *
 * The application may have threads.  A child of such a program may only make
 * system calls, and its memory is a copy.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "pam/protocol/request.h"
#include "src/config/paths.h"

#define TICK_NS 500000
#define KILL_MS 1000
#define END (WNOHANG | (int)__WCLONE)

/* Returns errno.  On old kernels lyra2d closes the files itself. */
static int run_lyra2d(int sock)
{
	static char name[] = "lyra2d", word[] = "--once";
	char *const argv[] = { name, word, NULL };
	char *const environment[] = { NULL };

	if (dup2(sock, STDIN_FILENO) < 0 ||
	    fcntl(STDIN_FILENO, F_SETFD, 0) < 0)
		return errno;
	(void)close_range(STDIN_FILENO + 1, ~0U, 0);
	(void)setsid();
	execve(PATH_LYRA2D, argv, environment);
	return errno;
}

/* The child: its exit status is an errno.  vfork(2) shares the variable. */
__attribute__((noreturn))
static void in_between(int sock)
{
	volatile int error = 0;
	const pid_t pid = vfork();

	if (pid == 0) {
		error = run_lyra2d(sock);
		_exit(0);
	}
	_exit(pid < 0 ? errno : error);
}

/* Whether it has ended within ms milliseconds. */
static bool has_ended(pid_t pid, int *status, int ms)
{
	const struct timespec tick = { 0, TICK_NS };
	const int64_t end = clock_ms() + ms;
	pid_t got;

	while ((got = waitpid(pid, status, END)) == 0 &&
	       clock_ms() < end)
		nanosleep(&tick, NULL);
	return got != 0;
}

/* A user can stop it, and a file system can hang. */
static int reap(pid_t pid)
{
	int status = 0;

	if (!has_ended(pid, &status, SILENCE_MS)) {
		kill(pid, SIGKILL);
		(void)has_ended(pid, &status, KILL_MS);
		errno = ETIMEDOUT;
		return -1;
	}
	errno = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
	return errno == 0 ? 0 : -1;
}

/*
 * clone(2) without flags is fork(2) without a signal, on each kind of machine,
 * whatever the order of its arguments.  No handler of the application may run
 * in the child.  lyra2d unblocks all signals once it is root's.
 */
int spawn_once(int sock)
{
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	if (pid == 0)
		in_between(sock);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return pid < 0 ? -1 : reap(pid);
}
