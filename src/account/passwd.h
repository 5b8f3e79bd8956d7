/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads /etc/passwd itself, which shows where a hash is, and not the other
 * sources of the name service.
 */
#ifndef PAM_LYRA2_PASSWD_H
#define PAM_LYRA2_PASSWD_H

#include <stdbool.h>
#include <sys/types.h>

#define PASSWD_NAME_MAX 255	/* LOGIN_NAME_MAX of Linux, without the NUL */

/*
 * Returns PAM_SUCCESS if /etc/passwd has the user and says that the hash is in
 * /etc/shadow, PAM_IGNORE if the hash is in /etc/passwd, PAM_USER_UNKNOWN if
 * the user is not there, PAM_SYSTEM_ERR with errno if the file cannot be read
 * to its end.  *uid and *gid hold with the first two.
 */
int passwd_find(const char *name, uid_t *uid, gid_t *gid);

/*
 * Never look up names that no line of passwd(5) can have, or that were once
 * NIS includes.
 */
bool passwd_is_name(const char *name);

#endif
