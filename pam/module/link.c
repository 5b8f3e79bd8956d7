/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to lyra2d. */
#include "link.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "spawn.h"
#include "src/config/paths.h"

#define KEPT "lyra2_link"	/* of pam_set_data(3) */

enum outcome link_silent(const struct link *l)
{
	return l->for_user ? AGAIN : NO_SERVICE;
}

/* Limits send(2), and connect(2), which waits while the backlog is full. */
static int limit_waits(int fd)
{
	const struct timeval limit = { SILENCE_MS / 1000, 0 };

	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

static enum outcome open_socket(struct link *l)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	l->fd = fd;
	if (fd < 0 || limit_waits(fd) < 0)
		return link_silent(l);
	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	if (connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0)
		return DONE;
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
	case ECONNREFUSED:	/* a stopped service may leave the file */
		return NO_SERVICE;
	case EINTR:
		return AGAIN;
	case EACCES:
		return geteuid() == 0 ? link_silent(l) : NO_RIGHT;
	default:
		return link_silent(l);
	}
}

/*
 * Returns true if the peer is root.  Only root can have made the socket, but
 * the test costs nothing.
 */
static bool is_roots(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 &&
		cred.uid == 0;
}

static enum outcome hear_hello(struct link *l)
{
	if (!request_wait(l->fd, SILENCE_MS))
		return link_silent(l);
	if (hello_recv(l->fd, &l->hello) == 0)
		return hello_is_here(&l->hello) ? DONE : NO_SERVICE;
	return errno == EPROTONOSUPPORT || errno == EBADMSG ||
		errno == EMSGSIZE ? NO_SERVICE : AGAIN;
}

static ino_t inode(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) ? st.st_ino : 0;
}

/*
 * To be called before a kept link is used.  An application may close
 * descriptors that it does not know, as daemons do, and then have a file of its
 * own with that number.
 */
static void check(struct link *l)
{
	if (l->fd >= 0 && inode(l->fd) != l->ino)
		l->fd = -1;
}

static void drop(struct link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

enum outcome link_connect(struct link *l)
{
	enum outcome outcome = open_socket(l);

	l->ino = inode(l->fd);
	if (outcome == DONE && !is_roots(l->fd))
		outcome = NO_SERVICE;
	if (outcome == DONE)
		outcome = hear_hello(l);
	if (outcome != DONE)
		drop(l);
	return outcome;
}

int link_start(struct link *l)
{
	int pair[2], rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	l->fd = pair[0];
	l->ino = inode(l->fd);
	rc = limit_waits(l->fd);
	if (rc == 0)
		rc = spawn_once(pair[1]);
	close(pair[1]);
	if (rc == 0 && !request_wait(l->fd, SILENCE_MS)) {
		errno = ETIMEDOUT;
		rc = -1;
	}
	if (rc == 0)
		rc = hello_recv(l->fd, &l->hello);
	if (rc < 0) {
		const int error = errno;

		drop(l);
		errno = error;
	}
	return rc;
}

void link_end(struct link *l, bool free)
{
	check(l);
	if (l->fd >= 0 && free)
		(void)tell_send(l->fd, TELL_FREE);
	drop(l);
	l->used = false;
}

/*
 * libpam calls this at pam_end(3), with the status that the application gives,
 * and when the data is replaced.
 */
static void end_kept(pam_handle_t *pamh, void *data, int status)
{
	(void)pamh;
	if (data)
		link_end(data, (status & ~PAM_DATA_SILENT) == PAM_SUCCESS);
	free(data);
}

struct link *link_kept(pam_handle_t *pamh)
{
	const void *data;
	struct link *l;

	if (pam_get_data(pamh, KEPT, &data) == PAM_SUCCESS && data) {
		l = (struct link *)(uintptr_t)data;
		check(l);
		return l;
	}
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->fd = -1;
	if (pam_set_data(pamh, KEPT, l, end_kept) == PAM_SUCCESS)
		return l;
	free(l);
	return NULL;
}

void link_free(pam_handle_t *pamh)
{
	struct link *l = link_kept(pamh);

	if (l)
		link_end(l, true);
	(void)pam_set_data(pamh, KEPT, NULL, NULL);
}
