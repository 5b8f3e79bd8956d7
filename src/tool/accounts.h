/* SPDX-License-Identifier: BSD-2-Clause */
/* The users of /etc/passwd, and when they came last. */
#ifndef LYRA2_TOOL_ACCOUNTS_H
#define LYRA2_TOOL_ACCOUNTS_H

#include <time.h>

#include "src/account/passwd.h"

struct user {
	char *name;
	uid_t uid;
	gid_t gid;
	bool shadowed;		/* its hash is in /etc/shadow */
	bool odd;		/* its line must be refused */
	bool listed;		/* from /etc/passwd */
	unsigned lines;		/* in /etc/shadow */
	bool judged;		/* the line there that libc sees */
	time_t last;		/* login; 0: not known */
};

/* Reads /etc/passwd into a tree; -1 with errno. */
int accounts_read(void **tree);

/* Adds the last logins, where wtmp or lastlog2(8) has them. */
void accounts_read_last(void **tree);

/* The line that libc sees.  NULL: there is none. */
struct user *accounts_find(void *const *tree, const char *name);

/* Adds the user of a line of passwd(5); -1 without memory. */
int accounts_add_line(void **tree, const struct lines *l,
		      const struct piece *line);
int accounts_add(void **tree, const struct user *user);
void accounts_free(void *tree);

#endif
