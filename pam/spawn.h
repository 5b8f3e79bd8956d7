/* SPDX-License-Identifier: BSD-2-Clause */
/* spawn.h - a process that has nothing of the application. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

#include <sys/types.h>

/*
 * Runs a program without arguments and with sock as standard input, in its
 * own session, with an empty environment, no other descriptors, and as root
 * for good where the effective user is root.  Returns its process ID, or -1
 * with errno; a program that cannot be run ends with status 127.
 */
pid_t spawn_helper(const char *path, int sock);

#endif
