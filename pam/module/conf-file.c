/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads pam_lyra2.conf(5): lines "key = value", and comments after "#". */
#include "options-table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES (1 << 20)

struct place {
	struct options_state *s;
	const char *path;
	unsigned line;
};

__attribute__((format(printf, 2, 3)))
static void complain(const struct place *p, const char *format, ...)
{
	char reason[256], text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	if (p->line)
		snprintf(text, sizeof(text), "%s:%u: %s", p->path, p->line,
			 reason);
	else
		snprintf(text, sizeof(text), "%s: %s", p->path, reason);
	options_report(p->s, text);
}

static char *trim(char *text)
{
	static const char blank[] = " \t\r\n\v\f";
	size_t len;

	text += strspn(text, blank);
	len = strlen(text);
	while (len > 0 && strchr(blank, text[len - 1]))
		len--;
	text[len] = '\0';
	return text;
}

static void read_line(const struct place *p, char *line)
{
	struct option_word w;
	char *value;

	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (line[0] == '\0')
		return;
	value = strchr(line, '=');
	if (!value) {
		complain(p, "this line has no \"=\"");
		return;
	}
	*value++ = '\0';
	w.name = trim(line);
	w.value = trim(value);
	switch (options_apply(p->s, IN_FILE, &w)) {
	case OPTION_UNKNOWN:
		complain(p, "unknown key \"%s\"", w.name);
		break;
	case OPTION_INVALID:
		complain(p, "%s ignored: it %s", w.name, w.why);
		break;
	case OPTION_OK:
		break;
	}
}

static void read_lines(struct place *p, FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	while ((len = getline(&line, &size, f)) >= 0) {
		p->line++;
		if (strlen(line) == (size_t)len)
			read_line(p, line);
		else
			complain(p, "this line has a NUL byte");
	}
	p->line = 0;
	if (ferror(f))
		complain(p, "%s", strerror(errno));
	free(line);
}

/* Why the file must not be used, or NULL. */
static const char *refusal(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_BYTES)
		return "not a regular file, or larger than 1 MiB";
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return "ignored, because it does not belong to root";
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return "ignored, because others can write to it";
	return NULL;
}

void conf_file_read(struct options_state *s, const char *path,
		    bool must_exist)
{
	struct place p = { .s = s, .path = path };
	/* O_NONBLOCK: otherwise opening a fifo waits for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const char *why = NULL;
	FILE *f;

	if (fd < 0) {
		if (errno != ENOENT || must_exist)
			complain(&p, "%s", strerror(errno));
		return;
	}
	why = refusal(fd);
	f = why ? NULL : fdopen(fd, "r");
	if (!f) {
		complain(&p, "%s", why ? why : strerror(errno));
		close(fd);
		return;
	}
	read_lines(&p, f);
	fclose(f);
}
