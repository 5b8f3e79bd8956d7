/* SPDX-License-Identifier: BSD-2-Clause */
/* What the service tells its supervisor: one datagram each time. */
#include "notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define WATCHDOG_MS 10000	/* at the latest */

static struct sockaddr_un address;
static socklen_t address_len;	/* 0: no supervisor */
static int64_t period;		/* ms between two signs of life; 0: none */
static int64_t next_sign;

/*
 * Reads how long the supervisor waits for a sign of life, which it may want
 * from another process.  It gets three in that time.
 */
static void read_watchdog(void)
{
	const char *pid = getenv("WATCHDOG_PID");
	const char *usec = getenv("WATCHDOG_USEC");

	if (usec && (!pid || strtol(pid, NULL, 10) == getpid()))
		period = strtoll(usec, NULL, 10) / 3000;
	if (period < 0 || period > WATCHDOG_MS)
		period = period < 0 ? 0 : WATCHDOG_MS;
}

/* A path, or "@" and an abstract name, which has no byte of 0 at its end. */
void notify_read_environment(void)
{
	const char *name = getenv("NOTIFY_SOCKET");
	const size_t len = name ? strlen(name) : 0;

	if (len < 2 || len >= sizeof(address.sun_path) ||
	    (name[0] != '/' && name[0] != '@'))
		return;
	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, name, len);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	address_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	read_watchdog();
}

bool notify_wanted(void)
{
	return address_len > 0;
}

bool notify_send(const char *text)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool sent;

	if (fd < 0)
		return false;
	sent = sendto(fd, text, strlen(text), MSG_NOSIGNAL,
		      (const struct sockaddr *)&address, address_len) >= 0 ||
		(errno != EAGAIN && errno != ENOBUFS);
	close(fd);
	return sent;
}

void notify_alive(int64_t now)
{
	if (period == 0 || now < next_sign)
		return;
	(void)notify_send("WATCHDOG=1");
	next_sign = now + period;
}

int64_t notify_wake(void)
{
	return period == 0 ? -1 : next_sign;
}
