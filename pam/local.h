/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * local.h - whether a user's password is ours to change: /etc/passwd itself,
 * which tells where its hashes are, and not what else the name service knows.
 */
#ifndef PAM_LYRA2_LOCAL_H
#define PAM_LYRA2_LOCAL_H

/*
 * PAM_SUCCESS if /etc/passwd has the user and leaves the hash to /etc/shadow,
 * PAM_AUTHINFO_UNAVAIL if it keeps the hash elsewhere, PAM_USER_UNKNOWN if it
 * does not have the user.
 */
int local_user(const char *name);

/* Whether a name can stand in passwd(5). */
int local_name(const char *name);

/* Whether the password field of name's record says "see shadow". */
int local_shadowed(const char *name, const char *field);

#endif
