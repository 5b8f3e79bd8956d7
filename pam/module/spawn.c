/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts private services and lyra2_chkpwd so that the application does not
 * notice.
 *
 * The application may handle or ignore SIGCHLD, or wait for any child in
 * another thread.  Therefore its child is one that sends no signal when it
 * ends, and that only a call with __WALL can wait for.  execve(2) would turn it
 * into a usual child.  So this child, the one in between, starts the program as
 * a child of its own and waits for it, because the first process of a container
 * may not.  It holds no descriptor, and ends with the program's exit status, or
 * with an errno if there was no program.
 *
 * The application may have threads.  A child of such a program may only make
 * system calls, and its memory is a copy.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <security/_pam_types.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "src/config/paths.h"

#define TICK_MS 2
#define KILL_MS 1000
#define CHKPWD_MS (WORK_SECONDS * 1000 + SILENCE_MS)	/* without a word */
#define END (WNOHANG | (int)__WALL)
#define MOST_FILES 65536

#ifdef SYS_setresuid32
#define SETRESUID SYS_setresuid32
#else
#define SETRESUID SYS_setresuid
#endif

struct program {
	const char *path;
	char *const *argv;
	int input;
	bool is_service;	/* its exit status does not count */
};

/* Old kernels and sandboxes have no close_range(2). */
static void close_from(int first)
{
	struct rlimit files = { MOST_FILES, MOST_FILES };
	int fd;

	if (close_range((unsigned)first, ~0U, 0) == 0)
		return;
	(void)getrlimit(RLIMIT_NOFILE, &files);
	for (fd = first; fd < MOST_FILES && (rlim_t)fd < files.rlim_cur; fd++)
		close(fd);
}

/*
 * Returns the exit status for a program that could not start: errno, or the
 * code for PAM.  Without memory or room for a process, it may start later.
 */
static int failed_with(const struct program *p, int error)
{
	if (p->is_service)
		return error;
	return error == EAGAIN || error == ENOMEM ? PAM_TRY_AGAIN :
		PAM_AUTHINFO_UNAVAIL;
}

/* Waits for a child of this process.  Returns its exit status. */
static int wait_code(pid_t pid)
{
	int status;
	pid_t got;

	do
		got = waitpid(pid, &status, 0);
	while (got < 0 && errno == EINTR);
	return got == pid && WIFEXITED(status) ? WEXITSTATUS(status) :
		PAM_TRY_AGAIN;
}

/*
 * Makes the process one that the user cannot stop.  setresuid(3) would tell
 * threads, which are not here.
 */
static void become_roots(void)
{
	(void)syscall(SETRESUID, 0L, 0L, 0L);
}

/* Runs in the child.  vfork(2) shares the variable. */
__attribute__((noreturn))
static void in_between(const struct program *p)
{
	static char *const environment[] = { NULL };
	volatile int error = 0;
	pid_t pid;

	signal(SIGCHLD, SIG_DFL);
	if (p->is_service)
		become_roots();
	if (dup2(p->input, STDIN_FILENO) < 0 ||
	    fcntl(STDIN_FILENO, F_SETFD, 0) < 0)
		_exit(failed_with(p, errno));
	close_from(STDIN_FILENO + 1);
	(void)setsid();
	pid = vfork();
	if (pid == 0) {
		execve(p->path, p->argv, environment);
		error = errno;
		_exit(0);
	}
	if (pid < 0)
		error = errno;
	close(STDIN_FILENO);
	if (pid > 0 && error)
		(void)wait_code(pid);
	if (error)
		_exit(failed_with(p, error));
	error = wait_code(pid);
	_exit(p->is_service ? 0 : error);
}

/*
 * clone(2) without flags is fork(2) without a signal, on each kind of machine,
 * whatever the order of its arguments.  An emulator may not have it.  No
 * handler of the application may run in the child.  The program unblocks all
 * signals if it uses any.
 */
static pid_t start(const struct program *p)
{
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	if (pid < 0 && errno == EINVAL)
		pid = fork();
	if (pid == 0)
		in_between(p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return pid;
}

struct words {
	int fd;			/* the other end of the program's input */
	spawn_wait *wait;
	pam_handle_t *pamh;
};

/*
 * Reads one byte from lyra2_chkpwd: the number of seconds that the user waits.
 * Returns the new end of the wait.
 */
static int64_t hear(const struct words *w, int64_t end)
{
	unsigned char seconds;

	if (!w || recv(w->fd, &seconds, 1, MSG_DONTWAIT) != 1)
		return end;
	return clock_ms() + CHKPWD_MS + w->wait(w->pamh, seconds);
}

/* Waits until something has happened.  Without pidfd_open(2), looks often. */
static void wait_more(const struct words *w, int pidfd, int ms)
{
	struct pollfd p[2] = {
		{ pidfd, POLLIN, 0 }, { w ? w->fd : -1, POLLIN, 0 }
	};

	(void)poll(p, 2, pidfd < 0 && ms > TICK_MS ? TICK_MS : ms);
}

/*
 * Waits ms milliseconds for the end of the child.  Returns as waitpid(2): 0 if
 * it still lives.
 */
static pid_t wait_end(const struct words *w, pid_t pid, int *status, int ms)
{
	const int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	int64_t now, end = clock_ms() + ms;
	pid_t got;

	while ((got = waitpid(pid, status, END)) == 0 &&
	       (now = clock_ms()) < end) {
		wait_more(w, pidfd, (int)(end - now));
		end = hear(w, end);
	}
	if (pidfd >= 0)
		close(pidfd);
	return got;
}

/*
 * Returns the exit status of the child, or -1 with errno.  Kills it after ms
 * milliseconds, because a user can stop it, and a file system can hang.
 */
static int reap(const struct words *w, pid_t pid, int ms)
{
	int status = 0;
	const pid_t got = wait_end(w, pid, &status, ms);

	if (got == 0) {
		kill(pid, SIGKILL);
		(void)wait_end(NULL, pid, &status, KILL_MS);
		errno = ETIMEDOUT;
		return -1;
	}
	/*
	 * Another thread may have waited for it.  Then its exit status is not
	 * known.
	 */
	errno = got == pid ? EINTR : ECHILD;
	return got == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

pid_t spawn_private(int sock)
{
	static char name[] = "lyra2d", word[] = "--private";
	char *const argv[] = { name, word, NULL };
	const struct program p = { PATH_LYRA2D, argv, sock, true };

	return start(&p);
}

int spawn_end(pid_t pid, int ms)
{
	const int error = reap(NULL, pid, ms);

	return error > 0 ? error : 0;
}

int spawn_chkpwd(const struct request *req, const struct secret *secret,
		 spawn_wait *wait, pam_handle_t *pamh)
{
	const size_t len = strlen(secret->password) + 1;
	static char name[] = "lyra2_chkpwd", yes[] = "nullok", no[] = "nonull";
	char user[sizeof(req->user)];
	char *const argv[] = {
		name, user, req->flags & FLAG_NULLOK ? yes : no, NULL
	};
	struct program p = { PATH_CHKPWD, argv, -1, false };
	struct words words = { -1, wait, pamh };
	int pair[2], code = PAM_TRY_AGAIN;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return PAM_TRY_AGAIN;
	p.input = pair[0];
	words.fd = pair[1];
	memcpy(user, req->user, sizeof(user));
	if (send(pair[1], secret->password, len, MSG_DONTWAIT) ==
	    (ssize_t)len && (pid = start(&p)) > 0)
		code = reap(&words, pid, CHKPWD_MS);
	if (code < 0)
		code = errno == ECHILD ? PAM_CRED_UNAVAIL : PAM_TRY_AGAIN;
	else if (code >= _PAM_RETURN_VALUES)	/* the dynamic linker's */
		code = PAM_CRED_UNAVAIL;
	close(pair[0]);
	close(pair[1]);
	return code;
}
