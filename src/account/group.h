/* SPDX-License-Identifier: BSD-2-Clause */
/* The members of one group of /etc/group, without the name service. */
#ifndef LYRA2_GROUP_H
#define LYRA2_GROUP_H

#include <sys/types.h>

#include "lines.h"

struct group {
	bool all;		/* no group was named: all users match */
	const char *only;	/* the one member who is looked for, or NULL */
	void *members;		/* a tree of names */
	bool found;		/* the group has a line, */
	gid_t gid;		/* and this number */
	char why[LINES_REASON];	/* why members may be missing; or "" */
};

/*
 * Reads the line of a group that libc sees, or none if its name is empty.
 * Keeps all members, or only the one.  Returns -1 with errno if the file
 * cannot be read; the group then has no members.
 */
int group_read(struct group *g, const char *name, const char *only);

/*
 * Takes number and members from a line.  If libc does not see the line, or it
 * must be refused, only sets g->why.  Returns 0, or -1 without memory.
 */
int group_add(struct group *g, const struct lines *l,
	      const struct piece *line);

/*
 * Returns NULL if the user, whose primary group is gid, is in the group; else
 * why not.
 */
const char *group_lacks(const struct group *g, const char *user, gid_t gid);

void group_free(struct group *g);

#endif
