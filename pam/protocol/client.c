/* SPDX-License-Identifier: BSD-2-Clause */
/* Connects to lyra2d, and waits for what it says.  Every wait has a limit. */
#include "client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"
#include "src/config/paths.h"

static int left(int64_t end)
{
	const int64_t ms = end - clock_ms();

	return ms > 0 ? (int)ms : 0;
}

int client_limit(int fd, int ms)
{
	const struct timeval limit = { ms / 1000, ms % 1000 * 1000 + 1 };

	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
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

enum outcome client_connect(int *fd, int64_t end)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	*fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (*fd < 0 || client_limit(*fd, left(end)) < 0)
		return NO_SERVICE;
	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	if (connect(*fd, (const struct sockaddr *)&a, sizeof(a)) == 0) {
		errno = ECONNREFUSED;
		return is_roots(*fd) ? DONE : NO_SERVICE;
	}
	switch (errno) {
	case EINTR:
		return AGAIN;
	case EAGAIN:
		return SILENT;
	case EACCES:
		return geteuid() == 0 ? NO_SERVICE : NO_RIGHT;
	default:		/* a stopped service may leave the file */
		return NO_SERVICE;
	}
}

enum outcome client_hello(int fd, int64_t end, struct hello *hello)
{
	if (!request_wait(fd, left(end)))
		return SILENT;
	if (hello_recv(fd, hello) == 0)
		return hello_is_here(hello) ? DONE : NO_SERVICE;
	return errno == EPROTONOSUPPORT || errno == EBADMSG ||
		errno == EMSGSIZE ? NO_SERVICE : AGAIN;
}

enum outcome client_hear(int fd, int ms, struct reply *reply, bool *working,
			 client_heard *heard, void *data)
{
	int64_t end = clock_ms() + QUEUE_SECONDS * 1000;

	for (; clock_ms() < end; ms = SILENCE_MS) {
		if (!request_wait(fd, ms))
			return SILENT;
		if (reply_recv(fd, reply) < 0)
			return AGAIN;
		switch (reply->kind) {
		case REPLY_VERDICT:
			return DONE;
		case REPLY_AGAIN:	/* nothing was stored */
			*working = false;
			return AGAIN;
		case REPLY_WORKING:
			if (!*working)
				end = clock_ms() + WORK_SECONDS * 1000;
			*working = true;
			break;
		default:
			break;
		}
		end += heard(data, reply);
	}
	return SILENT;
}
