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
	char odd[LINES_REASON];	/* what is wrong with the line, or "" */
};

/*
 * Reads one line.  Returns NULL, or why libc and this library take it for no
 * user; the name holds nevertheless, but is empty in blanks and comments.
 */
const char *passwd_read(const struct lines *l, const struct piece *line,
			struct passwd_line *p);

/*
 * Looks in the first line with that name.  Returns PAM_SUCCESS if it says that
 * the hash is in /etc/shadow, PAM_IGNORE if the hash is in /etc/passwd,
 * PAM_USER_UNKNOWN if there is no such line or an odd one, PAM_SYSTEM_ERR with
 * errno if the file cannot be read.  The IDs hold with the first two, else
 * they are 0.
 */
int passwd_find(const char *name, struct passwd_user *user);

/* Whether it finds this name with this user ID. */
bool passwd_is_of(const char *name, uid_t uid);

/*
 * Never look up names that no line of passwd(5) can have, or that were once
 * NIS includes.
 */
bool passwd_is_name(const char *name);

#endif
