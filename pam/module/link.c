/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to lyra2d. */
#include "link.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/config/paths.h"

enum outcome link_silent(void)
{
	return getuid() == 0 ? NO_SERVICE : AGAIN;
}

static enum outcome open_socket(int *out)
{
	const struct timeval limit = { SILENCE_MS / 1000, 0 };
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	*out = fd;
	if (fd < 0)
		return link_silent();
	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit,
		       sizeof(limit)) < 0)
		return link_silent();
	if (connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0)
		return DONE;
	return errno == ENOENT || errno == ENOTDIR ? NO_SERVICE :
		link_silent();
}

/* Only root can have made the socket, but a test costs nothing. */
static bool is_roots(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 &&
		cred.uid == 0;
}

/* In a chroot or a container /run may be another system's. */
static bool is_of_this_system(const struct hello *hello)
{
	struct stat st;

	return stat("/etc", &st) == 0 && hello->dev == st.st_dev &&
		hello->ino == st.st_ino;
}

static ino_t inode(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) ? st.st_ino : 0;
}

void link_check(struct link *l)
{
	if (l->fd >= 0 && inode(l->fd) != l->ino)
		l->fd = -1;
}

enum outcome link_connect(struct link *l)
{
	enum outcome outcome = open_socket(&l->fd);

	l->pid = 0;
	l->ino = inode(l->fd);
	if (outcome == DONE && !is_roots(l->fd))
		outcome = NO_SERVICE;
	if (outcome == DONE && !request_wait(l->fd, SILENCE_MS))
		outcome = link_silent();
	if (outcome == DONE && hello_recv(l->fd, &l->hello) < 0)
		outcome = AGAIN;
	if (outcome == DONE && !is_of_this_system(&l->hello))
		outcome = NO_SERVICE;
	if (outcome != DONE && l->fd >= 0) {
		close(l->fd);
		l->fd = -1;
	}
	return outcome;
}

/* The new process is root's, in a session of its own, with nothing of ours. */
static int spawn(int sock, pid_t *pid)
{
	char name[] = "lyra2d", word[] = "--once";
	char *const argv[] = { name, word, NULL };
	char *const environment[] = { NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attr) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	rc = posix_spawn_file_actions_adddup2(&files, sock, STDIN_FILENO);
	if (rc == 0)
		rc = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID |
					      POSIX_SPAWN_SETSIGMASK);
	if (rc == 0)
		rc = posix_spawnattr_setsigmask(&attr, &none);
	if (rc == 0)
		rc = posix_spawn(pid, PATH_LYRA2D, &files, &attr, argv,
				 environment);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

int link_start(struct link *l)
{
	int pair[2], rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	rc = spawn(pair[1], &l->pid);
	close(pair[1]);
	l->fd = pair[0];
	l->ino = inode(l->fd);
	if (rc == 0 && request_wait(l->fd, SILENCE_MS) &&
	    hello_recv(l->fd, &l->hello) == 0)
		return 0;
	close(l->fd);
	l->fd = -1;
	errno = rc ? rc : EPROTO;
	return -1;
}

void link_end(struct link *l)
{
	link_check(l);
	if (l->fd >= 0) {
		(void)tell_send(l->fd, TELL_COUNTED);
		close(l->fd);
	}
	if (l->pid > 0)
		while (waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
			;
	l->fd = -1;
	l->pid = 0;
	l->used = false;
}
