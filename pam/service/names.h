/* SPDX-License-Identifier: BSD-2-Clause */
/* Which user IDs have a name in /etc/passwd. */
#ifndef PAM_LYRA2_NAMES_H
#define PAM_LYRA2_NAMES_H

#include <stdbool.h>
#include <sys/types.h>

/* Reads the file only after a change, as a crowd may ask. */
bool names_have(uid_t uid);

#endif
