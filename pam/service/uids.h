/* SPDX-License-Identifier: BSD-2-Clause */
/* The user IDs that /etc/passwd has. */
#ifndef PAM_LYRA2_UIDS_H
#define PAM_LYRA2_UIDS_H

#include <sys/types.h>

/*
 * Returns 1 if a line that libc sees has this user ID, 0 if none has, or -1 if
 * the file cannot be read now.  Reads the file only after a change, as
 * everybody can connect without end.
 */
int uids_have(uid_t uid);

#endif
