/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the lines of the module to the log. */
#include "say.h"

#include <security/pam_ext.h>
#include <stdarg.h>
#include <stdio.h>

#include "pam/protocol/request.h"

#define LINE_BYTES 2048

void say(pam_handle_t *pamh, int priority, const char *format, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	request_printable(text);
	pam_syslog(pamh, priority, "%s", text);
}
