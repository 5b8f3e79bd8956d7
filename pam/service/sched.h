/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who gets the next hash.  A pure function of arrivals and turns: no clock of
 * its own, no descriptor, no process.
 *
 * 1. Sources stand in line.  One that begins to wait goes to the end of it,
 *    and so does one that was served and has more requests.  So a source that
 *    waits sees each other source served once before its own turn.
 * 2. Within a source accounts stand in line in the same way, and the requests
 *    for one account keep their order.
 * 3. Root at a console goes first, but never twice in a row while others wait.
 * 4. A rehash comes after all that is not one.
 * 5. A source that owes a count has no turn until it has paid, or until
 *    SCHED_DEBT_MS have passed for each count: a user's process was told
 *    whether a password is right, and has not yet said that the modules below
 *    know.
 */
#ifndef PAM_LYRA2_SCHED_H
#define PAM_LYRA2_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHED_MAX 2048		/* requests that wait */
#define SCHED_DEBT_MS 2000

struct sched_request {
	int id;			/* the caller's */
	uint64_t source;
	uint64_t account;
	bool console;
	bool rehash;
};

struct sched_waiting {
	struct sched_request req;
	uint64_t arrival;
	uint64_t place;	/* in the line of accounts; 0: behind its own account */
};

struct sched_source {
	uint64_t source;
	uint64_t place;		/* in the line of sources */
	int64_t barred;		/* no turn before that time, in ms */
	unsigned waiting;
};

struct sched {
	struct sched_waiting waiting[SCHED_MAX];
	size_t count;
	struct sched_source sources[2 * SCHED_MAX];
	size_t nsources;
	uint64_t serial;	/* of the last arrival or place */
	bool console_last;
};

/* Returns 0, or -1 if too many wait.  now is in milliseconds. */
int sched_add(struct sched *s, const struct sched_request *req, int64_t now);

/* Forgets the request of an id, if it waits. */
void sched_remove(struct sched *s, int id);

/* Takes out the request whose turn it is; its id, or -1 if there is none. */
int sched_next(struct sched *s, int64_t now);

/* A source has been told a verdict, and has counted it. */
void sched_owe(struct sched *s, uint64_t source, int64_t now);
void sched_pay(struct sched *s, uint64_t source);

/* When the first of those who must not have a turn yet may; -1: none. */
int64_t sched_wake(const struct sched *s, int64_t now);

#endif
