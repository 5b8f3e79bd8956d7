/* SPDX-License-Identifier: BSD-2-Clause */
/* Connects to lyra2d as the module does, but asks nothing. */
#include "ask-lyra2d.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "pam/protocol/request.h"
#include "src/config/paths.h"

enum { SECONDS = 1 };	/* for connect(2), and again for the hello */

static const char *hear(int fd)
{
	struct hello hello;

	if (!request_wait(fd, SECONDS * 1000))
		return "it is silent";
	if (hello_recv(fd, &hello) < 0)
		return errno == EPROTONOSUPPORT ?
			"it is of another version" : strerror(errno);
	return hello_is_here(&hello) ? NULL : "it serves another system";
}

const char *ask_lyra2d(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const struct timeval limit = { SECONDS, 0 };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	const char *why;

	if (fd < 0)
		return strerror(errno);
	memcpy(a.sun_path, PATH_SOCKET, sizeof(PATH_SOCKET));
	/* connect(2) waits while the backlog is full. */
	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit,
		       sizeof(limit)) < 0 ||
	    connect(fd, (const struct sockaddr *)&a, sizeof(a)) < 0)
		why = errno == EAGAIN ? "it is silent" :
			errno == ENOENT ? "it is not started" :
			strerror(errno);
	else
		why = hear(fd);
	close(fd);
	return why;
}
