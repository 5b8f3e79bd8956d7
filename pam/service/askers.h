/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The users of ask_for_others in pam_lyra2.conf(5).  They are services: without
 * the right to read hashes, they may have the password of any user but root
 * verified.
 *
 *  1. Their names are in /etc/passwd.  Root, and a name that is not there, are
 *     left out and logged.
 *  2. They can connect, by the ACL of the socket, which lists no one else.
 *  3. List and ACL follow a change of the configuration or of /etc/passwd,
 *     before the next connection is looked at.
 *  4. A user who is no longer listed has no right, connected or not.
 */
#ifndef PAM_LYRA2_ASKERS_H
#define PAM_LYRA2_ASKERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/config/options.h"

/*
 * Follows a change of the configuration or of /etc/passwd.  Returns the
 * configuration.
 */
const struct options *askers_refresh(void);

/* Returns true if a user is listed now. */
bool askers_have(uid_t uid);

#endif
