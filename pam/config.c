/* SPDX-License-Identifier: BSD-2-Clause */
/* config.c - reads pam_lyra2.conf: "key = value" lines and # comments. */
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
	p->s->complain(p->s->arg, text);
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
	char *value, why[128];

	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (line[0] == '\0')
		return;
	value = strchr(line, '=');
	if (!value) {
		complain(p, "no \"=\" in this line");
		return;
	}
	*value++ = '\0';
	line = trim(line);
	switch (option_apply(p->s, IN_FILE, line, trim(value), why,
			     sizeof(why))) {
	case OPTION_UNKNOWN:
		complain(p, "unknown key \"%s\"", line);
		break;
	case OPTION_INVALID:
		complain(p, "%s ignored: it %s", line, why);
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
			complain(p, "NUL byte in this line");
	}
	p->line = 0;
	if (ferror(f))
		complain(p, "%s", strerror(errno));
	free(line);
}

/* O_NONBLOCK: opening a fifo must not wait for its writer. */
static FILE *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= FILE_BYTES)
		f = fdopen(fd, "r");
	else
		errno = EINVAL;
	if (!f)
		close(fd);
	return f;
}

void config_read(struct options_state *s, const char *path, int must_exist)
{
	struct place p = { .s = s, .path = path };
	FILE *f = open_file(path);

	if (!f) {
		if (errno != ENOENT || must_exist)
			complain(&p, "%s", strerror(errno));
		return;
	}
	read_lines(&p, f);
	fclose(f);
}
