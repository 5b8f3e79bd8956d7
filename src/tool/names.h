/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of names, or of other texts. */
#ifndef LYRA2_TOOL_NAMES_H
#define LYRA2_TOOL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
	char **at;
	size_t n;
};

/* Copies the name.  Returns -1 without memory. */
int names_add(struct names *names, const char *name);

bool names_have(const struct names *names, const char *name);

/* Writes "login, su and 3 more"; nothing if there are none. */
void names_list(const struct names *names, char *out, size_t size);

void names_free(struct names *names);

#endif
