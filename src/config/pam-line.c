/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the lines of PAM's files. */
#include "pam-line.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

char *pam_line_next(char **text)
{
	char *line = *text, *part = line, *end, *last;

	if (*line == '\0')
		return NULL;
	for (;;) {
		end = part + strcspn(part, "#\n");
		last = end;
		while (last > part && is_blank(last[-1]))
			last--;
		if (*end != '\n' || last == part || last[-1] != '\\')
			break;
		memset(last - 1, ' ', (size_t)(end - last) + 2);
		part = end + 1;
	}
	*text = end + strcspn(end, "\n");
	if (**text != '\0')
		++*text;
	*end = '\0';
	return line;
}

char *pam_line_word(char **line)
{
	char *word = *line + strspn(*line, " \t"), *end;
	const char *ends = " \t";

	if (*word == '\0')
		return NULL;
	if (*word == '[') {
		word++;
		ends = "]";
	}
	end = word + strcspn(word, ends);
	*line = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

bool pam_line_is(const char *type, const char *wanted)
{
	return strcasecmp(type + (*type == '-'), wanted) == 0;
}

const char *pam_line_module(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
