/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service: connections, and who of them gets a hash.
 *
 * 1. It reads who asks and what, never a password.
 * 2. It refuses a peer that may not ask, and starts nothing for it.
 * 3. A request waits once its second packet is there, and hears at once that
 *    it waits, then every second.
 * 4. Peers belong to root, to the group that reads /etc/shadow, or to a user of
 *    ask_for_others; it closes other connections at once.
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
 */
#ifndef PAM_LYRA2_SERVICE_H
#define PAM_LYRA2_SERVICE_H

#include "brake.h"
#include "limit.h"
#include "operations.h"
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
	WORKING			/* a worker has it */
};

struct connection {
	enum state state;
	int fd;			/* to the module; of WORKING: to the worker */
	pid_t worker;		/* of WORKING; 0: it has ended */
	struct peer peer;
	bool slot;		/* its worker has one */
	bool again;		/* its worker waits for another */
	bool answered;		/* its worker has an answer */
	bool waits;		/* the answer waits to leave */
	bool stores;		/* its worker stores a new password */
	bool right;		/* the answer is "yes" */
	bool told;		/* its user knows for how long */
	int64_t heard;		/* when the peer last said something */
	uint64_t order;		/* of that, as many do in a millisecond */
	uint64_t source;
	uid_t owner;		/* of the user ID of the caller */
	const struct operation *op;
	struct request req;
};

struct counts {
	unsigned long hashing, waiting, answered, converted;
};

struct service {
	struct connection connections[SERVICE_CONNECTIONS];
	struct sched sched;
	unsigned used;		/* connections that are not FREE, */
	unsigned reached;	/* and the number up to the last of them */
	unsigned slots_taken, workers;
	unsigned waiting;	/* workers of rule 10 */
	struct brake brake;
	int brake_file;		/* see brake-file.h; -1: there is none */
	bool brake_locked;	/* and its lock is ours */
	int64_t brake_busy;	/* since when another has it; 0: nobody */
	unsigned long answered, converted;	/* since the start */
	uint64_t order;		/* the last that a connection got */
	int64_t end;		/* when it ends at the latest; 0: it does not */
	struct limit limit;
	struct counts told;	/* what the supervisor knows, */
	bool told_ready;	/* if it knows anything, */
	int64_t tell_at;	/* and when it may hear the next, in ms */
	bool retry;		/* something failed that may succeed soon */
	bool asked;		/* somebody is ASKED */
	int signals, listener;
};

/* Each connection of s that is not FREE, as c. */
#define SERVICE_EACH(s, c) \
	for ((c) = (s)->connections; \
	     (c) < (s)->connections + (s)->reached; (c)++) \
		if ((c)->state != FREE)

#endif
