/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses the request that is hashed next.  A pure function of arrivals and
 * turns: no clock of its own, no descriptor, no process.
 *
 * 1. Sources stand in line.  A source that begins to wait goes to the end of
 *    the line, and so does one that was served and has more requests.  So a
 *    source that waits sees each other source served once before its own turn.
 * 2. Within a source accounts stand in line in the same way, and the requests
 *    for one account keep their order.
 * 3. Root at a console goes first.  While others wait, the turn after a
 *    console's goes to another: consoles get at most every second turn.
 * 4. A rehash waits behind everything else.
 * 5. When the queue is full, the source with the most requests loses its
 *    newest; of several such sources, the one that added a request last.  The
 *    new request counts, so it may be the one that is lost.
 * 6. A full queue loses a rehash before it loses a login, and never the request
 *    of root at a console for that of another.
 * 7. The logins of a source that is held are not chosen; its rehashes and
 *    consoles are.
 */
#ifndef PAM_LYRA2_SCHED_H
#define PAM_LYRA2_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHED_MAX 1024		/* requests that wait */

/* A source has a line for each kind. */
enum sched_kind { SCHED_LOGIN, SCHED_CONSOLE, SCHED_REHASH };

struct sched_request {
	int id;			/* the caller's, at least 0 */
	uint64_t source;
	uint64_t account;
	bool console;
	bool rehash;
};

struct sched_waiting {
	int id;
	enum sched_kind kind;
	uint64_t source;
	uint64_t account;
	uint64_t arrival;
	uint64_t place;	/* in the line of accounts; 0: behind its own account */
};

struct sched_source {
	uint64_t source;
	enum sched_kind kind;
	uint64_t place;		/* in the line of sources */
	uint64_t added;		/* the arrival of its last request */
	bool held;
	unsigned waiting;
};

struct sched {
	struct sched_waiting waiting[SCHED_MAX + 1];	/* until one is lost */
	size_t count;
	struct sched_source sources[2 * SCHED_MAX];
	size_t nsources;
	uint64_t serial;	/* of the last arrival or place */
	bool console_last;
	int lost;		/* see sched_add() */
};

/*
 * Puts a request into the queue.  Returns 0, or -1 if the queue is full and
 * this request is the one that is lost.  In both cases s->lost is the id of the
 * request that lost its place, or -1 if all could stay.
 */
int sched_add(struct sched *s, const struct sched_request *req);

/* Removes the request with this id, if it waits. */
void sched_remove(struct sched *s, int id);

/* Takes out the request whose turn it is.  Returns its id, or -1. */
int sched_next(struct sched *s);

/* Sets whether a source is held: see rule 7. */
void sched_hold(struct sched *s, uint64_t source, bool held);

#endif
