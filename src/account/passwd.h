/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads /etc/passwd itself, which shows where a hash is, and not the other
 * sources of the name service.
 */
#ifndef PAM_LYRA2_PASSWD_H
#define PAM_LYRA2_PASSWD_H

#include <sys/types.h>

#include "lines.h"

#define PASSWD_NAME_MAX 255	/* LOGIN_NAME_MAX of Linux, without the NUL */

struct passwd_line {
	struct piece name, hash;
	uid_t uid;
	gid_t gid;
	bool shadowed;		/* the hash is in /etc/shadow */
};

/* A user who was looked up. */
struct passwd_user {
	uid_t uid;
	gid_t gid;
	char odd[LINES_REASON];	/* why there is no such user, or "" */
};

/*
 * Reads one line.  Returns NULL, or the reason why libc does not see the line,
 * or why it must be refused: then l->odd is set.  The name is set in either
 * case; it is empty for blank lines and comments.
 */
const char *passwd_read(const struct lines *l, const struct piece *line,
			struct passwd_line *p);

/*
 * Reads the line with this name that libc sees.  Returns PAM_SUCCESS if the
 * hash is in /etc/shadow; PAM_IGNORE if it is in /etc/passwd; PAM_USER_UNKNOWN
 * if there is no such line or it must be refused; PAM_SYSTEM_ERR with errno if
 * the file cannot be read.  With the first two the IDs are set, else they are
 * 0.
 */
int passwd_find(const char *name, struct passwd_user *user);

/* Returns true if passwd_find() finds this name with this user ID. */
bool passwd_is_of(const char *name, uid_t uid);

/*
 * Returns false for names that no line of passwd(5) can have, and for comments
 * and what were once NIS includes.  Never look these up.
 */
bool passwd_is_name(const char *name);

#endif
