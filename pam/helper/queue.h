/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits how many helpers hash at once on this machine.
 *
 * A hash takes tens of megabytes on purpose, so a burst of logins has to
 * queue for memory, in order of arrival.  A slot is a lock on a byte of a
 * file that stays empty: it belongs to an open file description and ends with
 * its process, however that ends.
 *
 * Callers with real user ID 0 (sshd, login) and all others have slots of their
 * own, and each of the others uses one at a time.  A process that makes no
 * progress, in the queue or with a slot, is passed over.  No wait is longer
 * than 30 seconds, or three for root's own logins; then the helper continues
 * without a slot.
 */
#ifndef PAM_LYRA2_QUEUE_H
#define PAM_LYRA2_QUEUE_H

#include <stdint.h>
#include <sys/types.h>

enum queue_result {
	QUEUE_SLOT,		/* *slot is a descriptor to close at the end */
	QUEUE_UNUSABLE,		/* the file cannot be used: continue without */
	QUEUE_TIMED_OUT,	/* the wait took too long: continue without */
	QUEUE_PEER_GONE		/* no process waits for the answer any more */
};

struct queue_request {
	uint32_t max;	/* slots; 0: one for each CPU */
	uid_t caller;	/* real user ID of the process that asks */
	uid_t target;	/* user ID of the user who logs in */
	int peer;	/* the socket to that process */
};

/* Waits for a slot.  *slot becomes -1 if there is none. */
enum queue_result queue_enter(const struct queue_request *q, int *slot);

/* Gives the slot back, once. */
void queue_leave(int *slot);

#endif
