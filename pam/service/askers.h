/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The users of ask_for_others in pam_lyra2.conf(5).  They are services: without
 * the right to read hashes, they may have the password of any user but root
 * verified.
 *
 * 1. Their names stand in /etc/passwd.  A name that does not, and root's, is
 *    left out, and the log has its line.
 * 2. They can connect, by the ACL of the socket.  It lists nobody else.
 * 3. Both follow a change of the configuration or of /etc/passwd, before the
 *    next connection is looked at.
 * 4. A user who is not on the list any more has no right, connected or not.
 */
#ifndef PAM_LYRA2_ASKERS_H
#define PAM_LYRA2_ASKERS_H

#include <stdbool.h>
#include <sys/types.h>

/* Looks for a change. */
void askers_refresh(void);

/* Whether a user is one of them now. */
bool askers_have(uid_t uid);

#endif
