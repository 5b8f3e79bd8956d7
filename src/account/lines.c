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

struct lines lines_of(const struct piece *file, const char *path)
{
	return (struct lines){
		.path = path, .fd = -1, .buf = (char *)(uintptr_t)file->at,
		.size = file->len, .end = file->len
	};
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

	if (l->fd < 0)
		return false;
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

/* Sets *line to the next line as it stands in the file. */
static bool next_raw(struct lines *l, struct piece *line)
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
	l->at_end = !newline;
	l->number++;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct piece lines_text(const struct piece *piece)
{
	struct piece p = *piece;

	for (; p.len > 0 && is_blank(*p.at); p.at++)
		p.len--;
	return p;
}

/*
 * Makes of a line what libc sees.  If a newline does not end what libc has
 * read, glibc reads bytes twice after it has removed blanks: " a:x:1:2" has the
 * group ID 22.  Such a line is refused, because other versions may differ.
 */
static void see(struct lines *l, struct piece *line)
{
	const struct piece raw = *line;
	const char *nul;

	*line = lines_text(&raw);
	nul = line->len > 0 ? memchr(line->at, '\0', line->len) : NULL;
	if (nul)
		line->len = (size_t)(nul - line->at);
	if (line->len > 0 && line->at[0] == '#')
		line->len = 0;
	l->odd = NULL;
	if (l->cut || raw.len >= LINES_MAX)
		l->odd = "the line is longer than 16 MiB";
	else if (line->at > raw.at && (nul || l->at_end))
		l->odd = "the line begins with a blank, and no newline ends it";
}

bool lines_next(struct lines *l, struct piece *line)
{
	if (!next_raw(l, line))
		return false;
	see(l, line);
	return true;
}

static bool begins(const struct piece *line, const char *name, size_t len)
{
	return line->len >= len && memcmp(line->at, name, len) == 0 &&
		(line->len == len || line->at[len] == ':' ||
		 line->at[len] == '\0');
}

/*
 * Most lines are of other users, so this does as little as possible for each.
 */
bool lines_find(struct lines *l, const char *name, struct piece *line)
{
	const size_t len = strlen(name);
	struct piece text;

	while (next_raw(l, line)) {
		text = line->len > 0 && line->at[0] <= ' ' ? lines_text(line) :
			*line;
		if (!begins(&text, name, len))
			continue;
		see(l, line);
		if (line->len > 0)
			return true;
	}
	return false;
}

struct piece lines_take_field(struct piece *line)
{
	const char *colon = line->len > 0 ?
		memchr(line->at, ':', line->len) : NULL;
	struct piece field = *line;

	if (colon)
		field.len = (size_t)(colon - line->at);
	line->at += field.len + (colon != NULL);
	line->len -= field.len + (colon != NULL);
	return field;
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

int lines_number(const struct piece *field, uint32_t *number)
{
	struct piece p = lines_text(field);
	const bool minus = p.len > 0 && *p.at == '-';
	uint64_t n = 0;
	size_t i = minus || (p.len > 0 && *p.at == '+'), first = i;

	for (; i < p.len && p.at[i] >= '0' && p.at[i] <= '9'; i++) {
		const uint64_t digit = (uint64_t)(p.at[i] - '0');

		if (n > (UINT64_MAX - digit) / 10)
			return -1;
		n = 10 * n + digit;
	}
	if (minus)
		n = 0 - n;
	if (i == first || i < p.len || n > UINT32_MAX)
		return -1;
	*number = (uint32_t)n;
	return 0;
}

void lines_reason(const struct lines *l, const char *why,
		  char out[LINES_REASON])
{
	snprintf(out, LINES_REASON, "%s:%lu: %s", l->path, l->number, why);
}
