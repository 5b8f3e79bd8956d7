/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks a user up in /etc/group, without the name service. */
#ifndef LYRA2_GROUP_H
#define LYRA2_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether a user, whose primary group is gid, is in a group. */
bool group_has(const char *group, const char *user, gid_t gid);

#endif
