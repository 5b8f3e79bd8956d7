/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the user IDs of /etc/passwd, sorted. */
#include "uids.h"

#include <stdlib.h>

#include "configuration.h"
#include "src/account/passwd.h"
#include "src/config/paths.h"

#define FIRST_ROOM 64

static uid_t *ids;
static size_t count, room;

static int compare(const void *a, const void *b)
{
	const uid_t x = *(const uid_t *)a, y = *(const uid_t *)b;

	return x < y ? -1 : x > y;
}

static int add(uid_t uid)
{
	const size_t more = room ? 2 * room : FIRST_ROOM;
	uid_t *new;

	if (count == room) {
		new = reallocarray(ids, more, sizeof(*new));
		if (!new)
			return -1;
		ids = new;
		room = more;
	}
	ids[count++] = uid;
	return 0;
}

static int read_file(void)
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
	if (lines_close(&l) < 0 || failed)
		return -1;
	qsort(ids, count, sizeof(*ids), compare);
	return 0;
}

int uids_have(uid_t uid)
{
	static struct version had;
	static int failed;

	if (version_changed(&had, PATH_PASSWD) || failed)
		failed = read_file();
	if (failed)
		return -1;
	return count > 0 &&
		bsearch(&uid, ids, count, sizeof(*ids), compare) != NULL;
}
