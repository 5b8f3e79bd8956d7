/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the one line of a user in the bytes of shadow(5). */
#include "shadow-line.h"

#include <string.h>

#define FIELDS 9

size_t shadow_line_find(const char *file, size_t len, const char *user,
			struct piece *line)
{
	const char *end = file + len, *newline;
	size_t found = 0;

	for (; file < end; file = newline + 1) {
		struct piece p = { file, 0 };

		newline = memchr(file, '\n', (size_t)(end - file));
		if (!newline)
			newline = end;
		p.len = (size_t)(newline - file);
		if (lines_begin(&p, user)) {
			*line = p;
			found++;
		}
		if (newline == end)
			break;
	}
	return found;
}

bool shadow_line_whole(const struct piece *line)
{
	struct piece field;

	return lines_field(line, FIELDS - 1, &field) == 0 &&
		lines_field(line, FIELDS, &field) < 0 &&
		!memchr(line->at, '\r', line->len) &&
		!memchr(line->at, '\0', line->len);
}
