/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns: at most as many private services hash at once as there are CPUs.
 *
 *  1. A turn is the lock of one of as many files as there are CPUs, chosen by
 *     the process's number: no process can wait for any of several locks, and
 *     who only tries again and again may never have one.
 *  2. Root's programs have files of their own, so no user delays them.
 *  3. A program that a user has started first takes the lock of that user, so
 *     one user has one turn at most.  Then it leaves the user's cgroup, which
 *     the user can freeze, and waits for a turn, but for a second only: a user
 *     who manages to stop a process that has one delays others by no more.
 *  4. A program of root's waits for TURN_ROOT_SECONDS at most.
 *  5. If no file can be opened, for example without /run, there are no turns.
 *  6. A process whose user's lock never comes ends without an answer.
 */
#ifndef PAM_LYRA2_TURN_H
#define PAM_LYRA2_TURN_H

#include "pam/protocol/request.h"

#define TURN_ROOT_SECONDS 60
#define TURN_USER_SECONDS QUEUE_SECONDS

/* Takes a turn, or gives it back. */
void turn(const struct request *req, bool take);

#endif
