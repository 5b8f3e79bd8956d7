/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of /etc/subuid: see subuid(5). */
#ifndef PAM_LYRA2_SUBUID_H
#define PAM_LYRA2_SUBUID_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Finds the owner that /etc/subuid gives a user ID.  Returns false if there is
 * none, or the file cannot be read.  Of several the first one counts.
 */
bool subuid_owner(uid_t uid, uid_t *owner);

#endif
