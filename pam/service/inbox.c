/* SPDX-License-Identifier: BSD-2-Clause */
/* What a module has sent and nobody has read. */
#include "inbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

/* The kernel then says of each packet who has sent it. */
int inbox_prepare(int fd)
{
	const int on = 1;

	return setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
}

/*
 * Each packet, even an empty one, comes with its sender, for which alone there
 * is room: what is cut off are descriptors.
 */
enum inbox inbox_look(int fd)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(struct ucred))];
	} control;
	struct msghdr msg = {
		.msg_control = &control, .msg_controllen = sizeof(control)
	};

	if (recvmsg(fd, &msg, MSG_PEEK | MSG_DONTWAIT) < 0)
		return errno == EAGAIN || errno == EINTR ? INBOX_EMPTY :
			INBOX_END;
	if (msg.msg_flags & MSG_CTRUNC)
		return INBOX_LOADED;
	return msg.msg_controllen > 0 ? INBOX_PACKET : INBOX_END;
}

/* Another process has it, too, and ends when we have closed it. */
static void leave_behind(int fd)
{
	int pair[2];
	char byte;
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) < 0)
		return;
	pid = fork();
	if (pid == 0) {
		close(pair[1]);
		(void)!read(pair[0], &byte, 1);
		_exit(0);
	}
	if (pid > 0)
		close(fd);
	close(pair[0]);
	close(pair[1]);
}

/*
 * Unread packets would cost the module our last word.  Where there is no memory
 * for another process, the descriptor stays open.
 */
void inbox_close(int fd)
{
	enum inbox what;

	(void)shutdown(fd, SHUT_RD);
	while ((what = inbox_look(fd)) == INBOX_PACKET)
		(void)recv(fd, NULL, 0, MSG_DONTWAIT);
	if (what == INBOX_LOADED)
		leave_behind(fd);
	else
		close(fd);
}
