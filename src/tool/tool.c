/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands share: messages, and the kernel that they use. */
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *tool_command = "";

int tool_error(int status, const char *format, ...)
{
	char text[4096], *p;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* A terminal might act on a word of a file, or of the command line. */
	for (p = text; *p; p++)
		if (iscntrl((unsigned char)*p) && *p != '\n')
			*p = '?';
	fprintf(stderr, "lyra2%s%s: %s\n", *tool_command ? " " : "",
		tool_command, text);
	return status;
}

static int errno_status(void)
{
	switch (errno) {
	case EINVAL:
	case EMSGSIZE:
	case EILSEQ:
	case EDOM:
	case ERANGE:
		return TOOL_INPUT;
	default:
		return TOOL_SYSTEM;
	}
}

int tool_errno(const char *what)
{
	return tool_error(errno_status(), "%s: %s", what, strerror(errno));
}

int tool_library_error(const char *what)
{
	return tool_error(errno_status(), "%s: %s", what,
			  lyra2_strerror(errno));
}

static int refuse_kernel(const char *asked)
{
	char list[256] = "";
	const char *name;
	size_t i, n = 0;
	int usable;

	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++)
		if (usable && n < sizeof(list))
			n += (size_t)snprintf(list + n, sizeof(list) - n,
					      "%s%s", n ? ", " : "", name);
	return tool_error(TOOL_INPUT, "LYRA2_KERNEL: %s: no kernel that this "
			  "CPU can run; it runs %s", asked, list);
}

static struct lyra2_ctx *ctx;

const char *tool_kernel_asked(void)
{
	return getenv("LYRA2_KERNEL");
}

const char *tool_kernel_for(uint32_t lanes, const char **why)
{
	const char *asked = tool_kernel_asked();

	if (!asked)
		return lyra2_kernel_for(lanes, why);
	if (why)
		*why = "LYRA2_KERNEL asks for it";
	return asked;
}

struct lyra2_ctx *tool_ctx(void)
{
	return ctx;
}

int tool_use_kernel(void)
{
	const char *asked = tool_kernel_asked();

	if (!asked)
		return TOOL_YES;
	ctx = lyra2_ctx_new();
	if (ctx && lyra2_ctx_set_kernel(ctx, asked) == 0)
		return TOOL_YES;
	return ctx ? refuse_kernel(asked) : tool_errno("LYRA2_KERNEL");
}
