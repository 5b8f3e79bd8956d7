/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service: connections, and who of them gets a hash.
 *
 * It is public, with a listener, or private: it serves the one module that has
 * started it.  The rules are the same, but for 13 and 14.
 *
 * 1. It reads who asks and what, never a password.
 * 2. It refuses a peer that may not ask, and starts nothing for it.
 * 3. A request waits once its second packet is there, and hears at once that
 *    it waits, then every second until the answer that the service lives.
 * 4. Peers have a rank of rights.h; it closes a STRANGER's connection at once,
 *    with a hello of no system.  Of those who are OWN, which any user can be,
 *    each has few connections, and all together leave places for others.
 * 5. The queue has half as many places as there are connections.  A request
 *    that loses its place in it, see sched.h, loses its connection, too: the
 *    module connects again.  At most half of the workers wait for a rehash.
 * 6. Where a connection or a descriptor is needed, the one that has been silent
 *    longest, and waits for nothing, goes; its module connects again.
 * 7. What fails because there is no memory or process is tried again.
 * 8. When it has to end, it sends those who wait to its successor, and tells
 *    workers to end, whose modules ask the successor, too.  A worker that holds
 *    the lock of /etc/shadow finishes first.  After SERVICE_END_MS the service
 *    ends in any case.
 * 9. In a turn of the loop each source has at most one question looked at.
 * 10. A source gets no hash while SERVICE_HELD of its answers wait to leave, or
 *     of its new passwords to be stored.  Those do not count as workers.
 * 11. Without a connection it sleeps, once it has told its last numbers.
 * 12. The brake holds no answer to a peer of ask_for_others, as its clients are
 *     not one caller.  Such a peer learns nothing about root.
 * 13. A private service ends with its module, and as soon as it has nothing
 *     left to do.  Only a worker that holds the lock of /etc/shadow finishes
 *     first.
 * 14. A private service is over when an answer is due to be admitted, so it
 *     admits the answer to a correct password at once.
 */
#ifndef PAM_LYRA2_SERVICE_H
#define PAM_LYRA2_SERVICE_H

#include "rights.h"
#include "sched.h"
#include "src/stored/policy.h"

#define SERVICE_CONNECTIONS 2048
#define SERVICE_WORKERS MAX_CONCURRENT	/* but those of rule 10 */
#define SERVICE_HELD 4
#define SERVICE_END_MS 4000	/* systemd waits 5 s: TimeoutStopSec= */

enum state {
	FREE,
	TALKING,		/* no request yet */
	ASKED,			/* a header that nobody has looked at */
	HALF,			/* a header, and no password yet */
	WAITING,		/* in the queue */
	WORKING,		/* a worker computes the answer */
	BRAKED,			/* there is an answer, which must wait */
	ANSWERED		/* the module may still say something */
};

enum work {
	NO_WORKER,
	HASHING,		/* it has a slot */
	PARKED,			/* it needs none now */
	AGAIN			/* it waits for another */
};

struct connection {
	enum state state;
	enum work work;
	int fd;			/* to the module; -1: it has gone */
	int control;		/* to the worker, if there is one */
	pid_t worker;
	bool got;		/* the module has the answer */
	bool stores;		/* a new password, which may be in the file */
	struct peer peer;
	int64_t heard;		/* when the peer last said something */
	uint64_t order;		/* of that, as many do in a millisecond */
	uint64_t source;
	const struct operation *op;
	struct request req;	/* corrected by the peer's rank */
	uint32_t uid;		/* the caller's real user ID, for the log */
	struct reply verdict;	/* of BRAKED */
	bool own;		/* it is about the caller's account */
	int64_t since;		/* of BRAKED, in the time of brake-file.h */
	int64_t look_at;	/* when the brake may let it leave */
	uint64_t number;	/* to be admitted by; 0: it is not */
	bool told;		/* its user knows for how long */
};

struct service {
	struct connection connections[SERVICE_CONNECTIONS];
	struct sched sched;
	unsigned used;		/* connections that are not FREE, */
	unsigned reached;	/* and the number up to the last of them */
	unsigned long answered, converted;	/* since the start */
	uint64_t order;		/* the last that a connection got */
	int64_t end;		/* when it ends at the latest; 0: it does not */
	bool retry;		/* something failed that may succeed soon */
	bool asked;		/* somebody is ASKED */
	int signals;
	int listener;		/* -1: it is private */
};

/* Each connection of s that is not FREE, as c: for (SERVICE_EACH(s, c)) ... */
#define SERVICE_EACH(s, c) \
	(c) = service_next((s), (s)->connections); (c); \
	(c) = service_next((s), (c) + 1)

static inline struct connection *service_next(const struct service *s,
					      const struct connection *c)
{
	const struct connection *end = s->connections + s->reached;

	while (c < end && c->state == FREE)
		c++;
	return c < end ? (struct connection *)(uintptr_t)c : NULL;
}

/* The number of workers that have a slot. */
static inline unsigned service_hashing(const struct service *s)
{
	const struct connection *c;
	unsigned n = 0;

	for (SERVICE_EACH(s, c))
		n += c->work == HASHING;
	return n;
}

static inline bool service_is_private(const struct service *s)
{
	return s->listener < 0;
}

#endif
