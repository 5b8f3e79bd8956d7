/* SPDX-License-Identifier: BSD-2-Clause */
/* Which user IDs have a name in /etc/passwd. */
#include "names.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/config/paths.h"
#include "version.h"

static uid_t *ids;
static size_t count, room;

static int compare(const void *a, const void *b)
{
	const uid_t x = *(const uid_t *)a, y = *(const uid_t *)b;

	return (x > y) - (x < y);
}

static int add(uid_t uid)
{
	if (count == room) {
		size_t more = room ? 2 * room : 64;
		uid_t *p = realloc(ids, more * sizeof(*p));

		if (!p)
			return -1;
		ids = p;
		room = more;
	}
	ids[count++] = uid;
	return 0;
}

/* Without memory the rest have no names, until the file changes. */
static void read_ids(void)
{
	FILE *f = fopen(PATH_PASSWD, "re");
	const struct passwd *pw;

	count = 0;
	if (!f)
		return;
	while ((pw = fgetpwent(f)) && add(pw->pw_uid) == 0)
		;
	fclose(f);
	if (count > 0)
		qsort(ids, count, sizeof(*ids), compare);
}

bool names_have(uid_t uid)
{
	static struct version had;

	if (version_changed(&had, PATH_PASSWD))
		read_ids();
	return count > 0 && bsearch(&uid, ids, count, sizeof(*ids), compare);
}
