/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decides whether this module changes a user's password.  It reads /etc/passwd
 * itself, which shows where the hash is, and not the other sources of the name
 * service.
 */
#ifndef PAM_LYRA2_PASSWD_H
#define PAM_LYRA2_PASSWD_H

/*
 * Returns PAM_SUCCESS if /etc/passwd has the user and the hash is in
 * /etc/shadow, PAM_IGNORE if the hash is in /etc/passwd, PAM_USER_UNKNOWN if
 * the user is not there, PAM_SYSTEM_ERR with errno if the file cannot be read
 * to its end.
 */
int passwd_user(const char *name);

/* Whether a name is allowed in passwd(5). */
int passwd_name(const char *name);

/* Whether the password field of name's record says "see shadow". */
int passwd_shadowed(const char *name, const char *field);

#endif
