/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts a process that inherits nothing from the application. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

#include <sys/types.h>

#define SPAWN_FAILED 127	/* exit status, as a shell has it */

/*
 * Runs a program without arguments and with sock as standard input, in its
 * own session, with an empty environment and no other descriptors.  If the
 * effective user is root, all its IDs become root's.  Returns the ID of a
 * process that ends as the program does, or -1 with errno; *pidfd stands for
 * that process, or is -1 if the system has no such descriptors.  Wait for it
 * with __WALL.  If the program cannot be run, its exit status is
 * SPAWN_FAILED.
 */
pid_t spawn_helper(const char *path, int sock, int *pidfd);

#endif
