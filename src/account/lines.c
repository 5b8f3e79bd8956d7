/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the lines of account files. */
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 65536
#define LEAST_BYTES 1024
#define CUT_BYTES 1024		/* kept of a line that is too long */

int lines_take(struct lines *l, int fd, const char *path)
{
	struct stat st;

	*l = (struct lines){ .path = path, .fd = fd, .size = FIRST_BYTES };
	/*
	 * All of the buffer is wiped, so that of a small file is small.  Its
	 * size must reach LINES_MAX by doubling.
	 */
	if (fstat(fd, &st) == 0)
		while (st.st_size < (off_t)l->size / 2 &&
		       l->size > LEAST_BYTES)
			l->size /= 2;
	l->buf = malloc(l->size);
	if (l->buf)
		return 0;
	close(fd);
	errno = ENOMEM;
	return -1;
}

int lines_open(struct lines *l, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -1 : lines_take(l, fd, path);
}

int lines_close(struct lines *l)
{
	explicit_bzero(l->buf, l->size);
	free(l->buf);
	close(l->fd);
	errno = l->error;
	return l->error ? -1 : 0;
}

/* Not realloc(3), which would not wipe what it moves. */
static int grow(struct lines *l)
{
	char *more = malloc(2 * l->size);

	if (!more)
		return -1;
	memcpy(more, l->buf, l->end);
	explicit_bzero(l->buf, l->size);
	free(l->buf);
	l->buf = more;
	l->size *= 2;
	return 0;
}

/* Makes room behind what is there. */
static int make_room(struct lines *l)
{
	if (l->start > 0) {
		l->end -= l->start;
		l->seen -= l->start;
		memmove(l->buf, l->buf + l->start, l->end);
		l->start = 0;
	} else if (l->end == LINES_MAX) {
		l->cut = true;
		l->end = l->seen = CUT_BYTES;
	} else if (l->end == l->size) {
		return grow(l);
	}
	return 0;
}

/* Returns false at the end of the file, and after an error. */
static bool read_more(struct lines *l)
{
	ssize_t n;

	l->error = make_room(l) < 0 ? ENOMEM : 0;
	if (l->error)
		return false;
	do
		n = read(l->fd, l->buf + l->end, l->size - l->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		l->error = errno;
	if (n > 0)
		l->end += (size_t)n;
	return n > 0;
}

static const char *find_newline(struct lines *l)
{
	const char *newline = NULL;

	l->seen = l->start;
	do {
		if (l->end > l->seen)
			newline = memchr(l->buf + l->seen, '\n',
					 l->end - l->seen);
		l->seen = l->end;
	} while (!newline && read_more(l));
	return newline;
}

bool lines_next(struct lines *l, struct piece *line)
{
	const char *newline;

	l->cut = false;
	newline = l->error ? NULL : find_newline(l);
	if (l->error || l->start == l->end)
		return false;
	line->at = l->buf + l->start;
	line->len = newline ? (size_t)(newline - line->at) :
		l->end - l->start;
	l->start += line->len + (newline != NULL);
	l->number++;
	return true;
}

int lines_seek(struct lines *l, size_t at, unsigned long number)
{
	l->start = l->end = 0;
	l->number = number;
	l->error = lseek(l->fd, (off_t)at, SEEK_SET) < 0 ? errno : 0;
	return l->error ? -1 : 0;
}

struct piece lines_text(const struct piece *piece)
{
	struct piece p = *piece;

	for (; p.len > 0 && (*p.at == ' ' || (*p.at >= '\t' && *p.at <= '\r'));
	     p.at++)
		p.len--;
	return p;
}

static bool begins(const struct piece *line, const char *name, size_t len)
{
	return line->len > len && line->at[len] == ':' &&
		memcmp(line->at, name, len) == 0;
}

/*
 * Most lines are of other users, so this does as little as possible for each.
 */
bool lines_find(struct lines *l, const char *name, enum lines_blanks blanks,
		struct piece *line)
{
	const size_t len = strlen(name);

	while (lines_next(l, line)) {
		if (blanks == BLANKS_IGNORED && line->len > 0 &&
		    line->at[0] <= ' ')
			*line = lines_text(line);
		if (begins(line, name, len))
			return true;
	}
	return false;
}

bool lines_begin(const struct piece *line, const char *name)
{
	return begins(line, name, strlen(name));
}

int lines_field(const struct piece *line, size_t n, struct piece *field)
{
	const char *p = line->at, *end = p + line->len, *colon;

	for (;; n--) {
		colon = p < end ? memchr(p, ':', (size_t)(end - p)) : NULL;
		if (n == 0 || !colon)
			break;
		p = colon + 1;
	}
	*field = (struct piece){ p, (size_t)((colon ? colon : end) - p) };
	return n == 0 ? 0 : -1;
}

int lines_copy(const struct piece *piece, char *out, size_t size)
{
	if (piece->len >= size)
		return -1;
	memcpy(out, piece->at, piece->len);
	out[piece->len] = '\0';
	return 0;
}

bool lines_same(const struct piece *piece, const char *text)
{
	return piece->len == strlen(text) &&
		memcmp(piece->at, text, piece->len) == 0;
}

const char *lines_odd(const struct lines *l, const struct piece *line)
{
	if (l->cut)
		return "the line is longer than 16 MiB";
	if (line->len > 0 && memchr(line->at, '\0', line->len))
		return "the line has a NUL byte";
	return NULL;
}

int lines_id(const struct piece *field, unsigned *id)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < field->len && i < 10; i++) {
		if (field->at[i] < '0' || field->at[i] > '9')
			return -1;
		n = 10 * n + (uint64_t)(field->at[i] - '0');
	}
	if (field->len == 0 || i < field->len || n >= UINT32_MAX)
		return -1;
	*id = (unsigned)n;
	return 0;
}

void lines_reason(const struct lines *l, const char *why,
		  char out[LINES_REASON])
{
	snprintf(out, LINES_REASON, "%s:%lu: %s", l->path, l->number, why);
}
