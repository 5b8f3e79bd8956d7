/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts a process that inherits nothing from the application, and of which
 * the application notices nothing.
 *
 * A child whose end sends no signal wakes no handler of SIGCHLD, and wait(2)
 * does not find it.  As execve(2) brings that signal back, such a child stays
 * what it is, and has the helper for a child of its own.  It is a copy of an
 * application that may have threads: it calls nothing but async-signal-safe
 * functions, see signal-safety(7), and no function that changes the IDs of
 * all threads.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "config.h"
#include "pam/process.h"
#include "pam/request.h"
#include "pam/signals.h"
#include "src/stored/paths.h"

#define FIRST_FREE SHADOW_FD
#define STACK_BYTES 16384
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000	/* which old kernels ignore */
#endif
#define MANY_FILES 65536	/* where close_range(2) is missing */

struct start {
	const char *path;
	int sock;
};

static void close_from(int fd)
{
#ifdef HAVE_CLOSE_RANGE
	if (close_range((unsigned)fd, ~0U, 0) == 0)
		return;
#endif
	for (; fd < MANY_FILES; fd++)
		close(fd);
}

/*
 * Works if the application has closed 0 to 2, so that the socket is one of
 * them, and if it has no descriptor left.  An application that can read
 * /etc/shadow shows it: it may ask about everybody, as with pam_unix(8).
 */
static int arrange_descriptors(int sock)
{
	int null;

	if (dup2(sock, STDIN_FILENO) < 0 ||
	    fcntl(STDIN_FILENO, F_SETFD, 0) < 0)
		return -1;
	close_from(FIRST_FREE);
	null = process_open_null();
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return -1;
	if (null >= FIRST_FREE)
		close(null);
	if (geteuid() != 0)
		(void)open(PATH_SHADOW, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	return 0;
}

/*
 * Only root may send signals to a process whose IDs are all root's.  But who
 * owns the control group can freeze and kill it: see pam/helper/queue.c.
 */
static int become_root(void)
{
	if (geteuid() != 0 || process_is_root())
		return 0;
	return syscall(SYS_setresgid, 0, 0, 0) < 0 ||
		syscall(SYS_setresuid, 0, 0, 0) < 0 ? -1 : 0;
}

static pid_t run(const char *path)
{
	char *const argv[] = { (char *)(uintptr_t)path, NULL };
	char *const environment[] = { NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		execve(path, argv, environment);
		_exit(SPAWN_FAILED);
	}
	return pid;
}

static void say(const struct start *s, const char *why)
{
	struct reply reply = { .kind = REPLY_LOG, .number = LOG_CRIT };

	request_text(reply.text, sizeof(reply.text), why);
	(void)reply_send(s->sock, &reply);
}

__attribute__((noreturn))
static void give_up(const struct start *s, const char *why)
{
	say(s, why);
	_exit(SPAWN_FAILED);
}

/* Waits for the helper, and ends as it does. */
static int stand_between(void *arg)
{
	const struct start *s = arg;
	pid_t pid;
	int status;

	/* The application's signal handlers must not run in the child. */
	signals_reset();
	umask(077);
	prctl(PR_SET_NAME, "pam_lyra2");
	if (become_root() < 0)
		give_up(s, "a new process cannot become root: setresuid(2), "
			"setresgid(2)");
	if (arrange_descriptors(s->sock) < 0)
		give_up(s, "a new process cannot open /dev/null or /");
	if (setsid() < 0 || chdir("/") < 0)
		give_up(s, "a new process cannot leave its session or "
			"directory: setsid(2), chdir(2)");
	pid = run(s->path);
	if (pid < 0) {
		say(s, "a new process cannot have a child: vfork(2)");
		/* A control group may refuse it, so this is a user's doing. */
		kill(getpid(), SIGKILL);
	}
	close_from(STDIN_FILENO);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			_exit(SPAWN_FAILED);
	if (WIFSIGNALED(status))
		kill(getpid(), WTERMSIG(status));
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : SPAWN_FAILED);
}

/* A sandbox may know no child without a signal: better one that is seen. */
static pid_t start_child(struct start *s, int *pidfd)
{
	_Alignas(16) char stack[STACK_BYTES];
	pid_t pid = clone(stand_between, stack + sizeof(stack), CLONE_PIDFD,
			  s, pidfd);

	if (pid < 0) {
		pid = fork();
		if (pid == 0)
			stand_between(s);
	}
	return pid;
}

pid_t spawn_helper(const char *path, int sock, int *pidfd)
{
	struct start s = { path, sock };
	sigset_t all, old;
	pid_t pid;
	int saved;

	*pidfd = -1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = start_child(&s, pidfd);
	saved = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	return pid;
}
