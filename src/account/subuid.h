/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of /etc/subuid: see subuid(5). */
#ifndef PAM_LYRA2_SUBUID_H
#define PAM_LYRA2_SUBUID_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Finds the owner of the range in /etc/subuid that contains a user ID.  If
 * several ranges do, the first one counts.  Returns false if none does, or if
 * the file cannot be read.
 */
bool subuid_owner(uid_t uid, uid_t *owner);

#endif
