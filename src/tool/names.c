/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of names grow one by one; they are short. */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int names_add(struct names *names, const char *name)
{
	char **more = realloc(names->at, (names->n + 1) * sizeof(*more));

	if (!more)
		return -1;
	names->at = more;
	more[names->n] = strdup(name);
	if (!more[names->n])
		return -1;
	names->n++;
	return 0;
}

bool names_have(const struct names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->n; i++)
		if (strcmp(names->at[i], name) == 0)
			return true;
	return false;
}

void names_list(const struct names *names, char *out, size_t size)
{
	const size_t shown = names->n > 4 ? 3 : names->n;
	size_t i, len = 0;

	*out = '\0';
	for (i = 0; i < shown && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, "%s%.64s",
					i == 0 ? "" : i + 1 == names->n ?
					" and " : ", ", names->at[i]);
	if (shown < names->n && len < size)
		snprintf(out + len, size - len, " and %zu more",
			 names->n - shown);
}

void names_free(struct names *names)
{
	while (names->n > 0)
		free(names->at[--names->n]);
	free(names->at);
	names->at = NULL;
}
