/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * admit.h - how many helpers may hash at once on this machine.
 *
 * A hash takes tens of megabytes on purpose; a burst of logins has to queue
 * for memory, in order of arrival.  Slots and places in the queue are locks
 * on ranges of a file that nobody writes to: they belong to an open file
 * description and die with their process, whatever kills it.
 */
#ifndef PAM_LYRA2_ADMIT_H
#define PAM_LYRA2_ADMIT_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Waits for a slot.  max 0 means one for each CPU.  Helpers of an ordinary
 * user have a slot of their own for each user, so that nobody can hold up
 * other people's logins by stopping his own.  A login of root finds one slot
 * that nobody else takes.  Returns a descriptor to close when the hash is
 * done; -1 where the file cannot be used, and the caller goes on without; or
 * -2 where the wait took too long.
 */
int admit_enter(uint32_t max, uid_t caller, uid_t target);

/* Gives the slot back, once. */
void admit_leave(int *fd);

#endif
