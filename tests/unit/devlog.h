/* SPDX-License-Identifier: BSD-2-Clause */
/* A system log, at PATH_LOG, for what runs in this process. */
#ifndef DEVLOG_H
#define DEVLOG_H

#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>

#include "check-main.h"
#include "src/config/paths.h"

static int devlog = -1;
static int devlog_priority;	/* of the last line */

static inline void devlog_open(void)
{
	const struct sockaddr_un a = {
		.sun_family = AF_UNIX, .sun_path = PATH_LOG
	};

	(void)mkdir(PATH_ROOT, 0755);
	(void)mkdir(PATH_ROOT "/dev", 0755);
	(void)unlink(PATH_LOG);
	devlog = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ck_assert_int_eq(bind(devlog, (const struct sockaddr *)&a, sizeof(a)),
			 0);
}

static inline void devlog_close(void)
{
	close(devlog);
}

/* Returns what has come since the last call, each line with a newline. */
static inline const char *devlog_lines(void)
{
	static char lines[1 << 14];
	char line[2048], *text;
	size_t len = 0;
	ssize_t n;

	lines[0] = '\0';
	while ((n = recv(devlog, line, sizeof(line) - 1, 0)) >= 0) {
		line[n] = '\0';
		text = strstr(line, "]: ");
		ck_assert(line[0] == '<' && text);
		devlog_priority = atoi(line + 1) & LOG_PRIMASK;
		len += (size_t)snprintf(lines + len, sizeof(lines) - len,
					"%s\n", text + 3);
		ck_assert_uint_lt(len, sizeof(lines));
	}
	return lines;
}

#endif
