/* SPDX-License-Identifier: BSD-2-Clause */
/* The users of /etc/passwd, and when they came last. */
#ifndef LYRA2_TOOL_ACCOUNTS_H
#define LYRA2_TOOL_ACCOUNTS_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct user {
	char *name;
	uid_t uid;
	gid_t gid;
	bool shadowed;		/* its hash is in /etc/shadow */
	time_t last;		/* login; 0: not known */
};

/* Reads /etc/passwd into a tree; -1 with errno. */
int accounts_read(void **tree);

/* Adds the last logins, where wtmp or lastlog2(8) has them. */
void accounts_read_last(void **tree);

/* Of several lines the first one counts.  NULL: there is none. */
struct user *accounts_find(void *const *tree, const char *name);

int accounts_add(void **tree, const struct user *user);
void accounts_free(void *tree);

#endif
