/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts a process that inherits nothing from the application. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

#include <sys/types.h>

/*
 * Runs a program without arguments and with sock as standard input, in its
 * own session, with an empty environment and no other descriptors.  If the
 * effective user is root, all its IDs become root's.  Returns its process ID,
 * or -1 with errno; if the program cannot be run, the process exits with 127.
 */
pid_t spawn_helper(const char *path, int sock);

#endif
