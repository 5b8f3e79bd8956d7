/* SPDX-License-Identifier: BSD-2-Clause */
/* Which user IDs have a name in /etc/passwd. */
#include "names.h"

#include <stdlib.h>

#include "src/account/passwd.h"
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

static int read_ids(void)
{
	struct passwd_line p;
	struct piece line;
	struct lines l;
	int failed = 0;

	count = 0;
	if (lines_open(&l, PATH_PASSWD) < 0)
		return -1;
	while (!failed && lines_next(&l, &line))
		if (!passwd_read(&l, &line, &p))
			failed = add(p.uid);
	failed |= lines_close(&l);
	if (count > 0)
		qsort(ids, count, sizeof(*ids), compare);
	return failed;
}

/* After an error it reads again at the next question. */
bool names_have(uid_t uid)
{
	static struct version had;
	static int failed;

	if (version_changed(&had, PATH_PASSWD) || failed)
		failed = read_ids();
	return count > 0 && bsearch(&uid, ids, count, sizeof(*ids), compare);
}
