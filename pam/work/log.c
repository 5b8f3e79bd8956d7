/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a log line without waiting. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "pam/protocol/request.h"
#include "src/config/paths.h"

void log_line(int priority, const char *format, ...)
{
	const struct sockaddr_un a = {
		.sun_family = AF_UNIX, .sun_path = PATH_LOG
	};
	char text[1024];
	va_list args;
	int len, fd;

	len = snprintf(text, sizeof(text), "<%d>lyra2d[%d]: ",
		       LOG_AUTHPRIV | priority, (int)getpid());
	va_start(args, format);
	vsnprintf(text + len, sizeof(text) - (size_t)len, format, args);
	va_end(args);
	request_printable(text);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, text, strlen(text), MSG_NOSIGNAL,
		     (const struct sockaddr *)&a, sizeof(a));
	close(fd);
}
