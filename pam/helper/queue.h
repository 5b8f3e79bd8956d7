/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits how many helpers hash at once on this machine, and how many requests
 * of one source wait.
 *
 * A hash takes tens of megabytes on purpose, so a burst of logins has to wait
 * for memory.  At most two hashes more than there are slots are computed at
 * once, whatever users do.
 */
#ifndef PAM_LYRA2_QUEUE_H
#define PAM_LYRA2_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

enum queue_result {
	QUEUE_SLOT,		/* hash, then call queue_leave() */
	QUEUE_UNUSABLE,		/* the files cannot be used: hash without */
	QUEUE_REFUSED,		/* too many: do not hash; log that */
	QUEUE_REFUSED_AGAIN	/* that, and a log line about it is recent */
};

struct queue_request {
	uint32_t max;		/* slots; 0: one for each CPU, at least two */
	int64_t source;		/* of source_of() */
	bool watched;		/* a user can stop this process */
	bool console;		/* not watched: root itself, at a terminal */
	int peer;		/* the socket to the process that asks */
};

/* Waits for a slot.  Ends the process after 30 s, or if its peer ends. */
enum queue_result queue_enter(const struct queue_request *q);

/*
 * Around a fork(2): gives the slot back, and waits for one again.  A child with
 * a slot could be frozen before it has a timer of its own.
 */
void queue_pause(void);
void queue_resume(void);

/* Gives the slot back; if not watched, everything. */
void queue_leave(void);

#endif
