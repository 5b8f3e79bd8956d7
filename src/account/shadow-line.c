/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the one line of a user in the bytes of shadow(5). */
#include "shadow-line.h"

#include <string.h>

#define FIELDS 9

static size_t until(const char *p, size_t len, char c)
{
	const char *end = len ? memchr(p, c, len) : NULL;

	return end ? (size_t)(end - p) : len;
}

size_t shadow_line_find(const char *file, size_t len, const char *user,
			struct piece *line)
{
	size_t name = strlen(user), found = 0, n;

	for (; len > 0; file += n, len -= n) {
		n = until(file, len, '\n');
		if (n > name && file[name] == ':' &&
		    memcmp(file, user, name) == 0) {
			*line = (struct piece){ file, n };
			found++;
		}
		if (n < len)
			n++;
	}
	return found;
}

bool shadow_line_whole(const struct piece *line)
{
	struct piece field;

	return shadow_line_field(line, FIELDS - 1, &field) == 0 &&
		shadow_line_field(line, FIELDS, &field) < 0 &&
		!memchr(line->at, '\r', line->len) &&
		!memchr(line->at, '\0', line->len);
}

int shadow_line_field(const struct piece *line, size_t n, struct piece *field)
{
	const char *p = line->at, *end = line->at + line->len;
	size_t len = until(p, line->len, ':');

	for (; n > 0; n--) {
		if (p + len == end)
			return -1;
		p += len + 1;
		len = until(p, (size_t)(end - p), ':');
	}
	*field = (struct piece){ p, len };
	return 0;
}
