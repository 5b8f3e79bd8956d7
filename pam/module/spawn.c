/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts "lyra2d --once" and lyra2_chkpwd so that the application does not
 * notice.
 *
 * The application may handle or ignore SIGCHLD, or wait for any child in
 * another thread.  Therefore its child is one that sends no signal when it
 * ends, and that only a call with __WCLONE can wait for.  execve(2) would turn
 * it into a usual child.  So this child starts the program as a child of its
 * own.
 *
 * For lyra2d the child ends at once, and lyra2d becomes a child of init.  For
 * lyra2_chkpwd the child ends with that program's exit status.
 *
 * The application may have threads.  A child of such a program may only make
 * system calls, and its memory is a copy.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <security/_pam_types.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "src/config/paths.h"

#define TICK_NS 500000
#define LAST_TICK_NS 16000000
#define KILL_MS 1000
#define CHKPWD_MS (WORK_SECONDS * 1000 + SILENCE_MS)	/* without a word */
#define END (WNOHANG | (int)__WCLONE)

struct program {
	const char *path;
	char *const *argv;
	int input;
	/* The PAM handle if the program's exit status counts, else NULL. */
	pam_handle_t *pamh;
	spawn_wait *wait;
	int words;		/* the other end of input */
};

/*
 * Becomes the program.  Returns errno if that fails.  On old Linux kernels
 * lyra2d closes the files itself.
 */
static int run(const struct program *p)
{
	char *const environment[] = { NULL };

	if (dup2(p->input, STDIN_FILENO) < 0 ||
	    fcntl(STDIN_FILENO, F_SETFD, 0) < 0)
		return errno;
	(void)close_range(STDIN_FILENO + 1, ~0U, 0);
	(void)setsid();
	execve(p->path, p->argv, environment);
	return errno;
}

/*
 * Returns the code for a program that could not start.  Without memory or room
 * for a process, it may start later.
 */
static int chkpwd_code(int error)
{
	return error == EAGAIN || error == ENOMEM ? PAM_TRY_AGAIN :
		PAM_AUTHINFO_UNAVAIL;
}

/* Waits for a child of this process.  Returns its exit status. */
static int wait_code(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
		WEXITSTATUS(status) : PAM_TRY_AGAIN;
}

/*
 * Runs in the child.  Its exit status is an errno, or a PAM return code if it
 * waits.  vfork(2) shares the variable.
 */
__attribute__((noreturn))
static void in_between(const struct program *p)
{
	volatile int error = 0;
	pid_t pid;

	if (p->pamh)
		signal(SIGCHLD, SIG_DFL);
	pid = vfork();
	if (pid == 0) {
		error = run(p);
		_exit(0);
	}
	if (pid < 0)
		error = errno;
	if (!p->pamh)
		_exit(error);
	_exit(error ? chkpwd_code(error) : wait_code(pid));
}

/*
 * Reads one byte from lyra2_chkpwd: the number of seconds that the user waits.
 */
static int64_t hear(const struct program *p, int64_t end)
{
	unsigned char seconds;

	if (!p->pamh || recv(p->words, &seconds, 1, MSG_DONTWAIT) != 1)
		return end;
	return clock_ms() + CHKPWD_MS + p->wait(p->pamh, seconds);
}

/*
 * Waits ms milliseconds for the end of the child.  Returns as waitpid(2): 0 if
 * it still lives.
 */
static pid_t wait_end(const struct program *p, pid_t pid, int *status, int ms)
{
	struct timespec tick = { 0, TICK_NS };
	int64_t end = clock_ms() + ms;
	pid_t got;

	while ((got = waitpid(pid, status, END)) == 0 &&
	       clock_ms() < end) {
		end = hear(p, end);
		nanosleep(&tick, NULL);
		if (tick.tv_nsec < LAST_TICK_NS)
			tick.tv_nsec *= 2;
	}
	return got;
}

/*
 * Returns the exit status of the child, or -1 with errno.  Kills it after ms
 * milliseconds, because a user can stop it, and a file system can hang.
 */
static int reap(const struct program *p, pid_t pid, int ms)
{
	int status = 0;
	const pid_t got = wait_end(p, pid, &status, ms);

	if (got == 0) {
		kill(pid, SIGKILL);
		(void)wait_end(p, pid, &status, KILL_MS);
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

/*
 * clone(2) without flags is fork(2) without a signal, on each kind of machine,
 * whatever the order of its arguments.  No handler of the application may run
 * in the child.  The program unblocks all signals if it uses any.
 */
static int start(const struct program *p, int ms)
{
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	if (pid == 0)
		in_between(p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return pid < 0 ? -1 : reap(p, pid, ms);
}

int spawn_once(int sock)
{
	static char name[] = "lyra2d", word[] = "--once";
	char *const argv[] = { name, word, NULL };
	const struct program p = { PATH_LYRA2D, argv, sock, NULL, NULL, -1 };
	const int error = start(&p, SILENCE_MS);

	if (error > 0)
		errno = error;
	return error == 0 ? 0 : -1;
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
	struct program p = { PATH_CHKPWD, argv, -1, pamh, wait, -1 };
	int pair[2], code = PAM_TRY_AGAIN;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return PAM_TRY_AGAIN;
	p.input = pair[0];
	p.words = pair[1];
	memcpy(user, req->user, sizeof(user));
	if (send(p.words, secret->password, len, MSG_DONTWAIT) == (ssize_t)len)
		code = start(&p, CHKPWD_MS);
	if (code < 0)
		code = errno == ECHILD ? PAM_CRED_UNAVAIL : PAM_TRY_AGAIN;
	close(pair[0]);
	close(pair[1]);
	return code;
}
