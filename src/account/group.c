/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks a user up in /etc/group. */
#include "group.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/config/paths.h"

#define GROUP_MAX (16 << 20)	/* bytes of the file */
#define GROUP_MORE 1024

static bool names(const struct group *group, const char *user)
{
	char **member;

	for (member = group->gr_mem; *member; member++)
		if (strcmp(*member, user) == 0)
			return true;
	return false;
}

/* No line of an open file needs more than size bytes. */
static bool look(FILE *f, size_t size, const char *user, gid_t gid,
		 const char *group)
{
	struct group gr, *found;
	char *buf = malloc(size);
	bool is = false;

	while (buf && !is && fgetgrent_r(f, &gr, buf, size, &found) == 0)
		is = strcmp(gr.gr_name, group) == 0 &&
			(gr.gr_gid == gid || names(&gr, user));
	free(buf);
	return is;
}

/* A line of n bytes has up to n / 2 members, with a pointer for each. */
bool group_has(const char *group, const char *user, gid_t gid)
{
	FILE *f = fopen(PATH_GROUP, "re");
	struct stat st;
	bool is = false;

	if (f && fstat(fileno(f), &st) == 0 && st.st_size < GROUP_MAX)
		is = look(f, 5 * (size_t)st.st_size + GROUP_MORE, user, gid,
			  group);
	if (f)
		fclose(f);
	return is;
}
