/* SPDX-License-Identifier: BSD-2-Clause */
/* Accepts connections of lyra2d, and ends them. */
#include "connections.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answers.h"
#include "configuration.h"
#include "pam/protocol/clock.h"

#define IDLE_MS 120000		/* between requests: a user types */
#define TAKE 64			/* at once, so that clients do not wait long */
#define UNREAD 8		/* packets that a module may have sent */
#define OF_ONE_USER 16		/* of OWN peers, which any user can have */
#define KEPT_FREE 256		/* from all OWN peers together */

/* ---- what nobody has read ---- */

enum inbox connections_look(int fd)
{
	char byte;
	const ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	if (n > 0)
		return INBOX_PACKET;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? INBOX_EMPTY :
		INBOX_END;
}

/*
 * Reads what is left: closing with unread packets would lose the last reply.  A
 * module never has more than a few; who sends more loses it.
 */
static void close_read(int fd)
{
	int i;

	(void)shutdown(fd, SHUT_RD);
	for (i = 0; i < UNREAD && connections_look(fd) == INBOX_PACKET; i++)
		(void)recv(fd, NULL, 0, MSG_DONTWAIT);
	close(fd);
}

/* ---- who has to go ---- */

static void close_module(struct connection *c)
{
	if (c->fd >= 0)
		close_read(c->fd);
	c->fd = -1;
}

void connections_drop_worker(struct service *s, struct connection *c)
{
	if (c->work == NO_WORKER)
		return;
	if (c->work == AGAIN)
		sched_remove(&s->sched, (int)(c - s->connections));
	close(c->control);
	c->work = NO_WORKER;
}

void connections_forget(struct service *s, struct connection *c)
{
	const bool held = answers_is_held(c);
	const uint64_t source = c->source;

	if (c->state == WAITING)
		sched_remove(&s->sched, (int)(c - s->connections));
	if (c->state == BRAKED)
		answers_end(s, c);
	connections_drop_worker(s, c);
	close_module(c);
	s->used--;
	explicit_bzero(c, sizeof(*c));
	while (s->reached > 0 && s->connections[s->reached - 1].state == FREE)
		s->reached--;
	if (held)
		answers_hold(s, source);
}

void connections_leave(struct service *s, struct connection *c)
{
	if (c->work == NO_WORKER) {
		connections_forget(s, c);
		return;
	}
	/* A rehash goes on, but a private service ends with its module. */
	if (!c->got || service_is_private(s))
		(void)kill(c->worker, SIGTERM);
	close_module(c);
}

/*
 * Returns true if the connection may be ended.  Its module only has to connect
 * again, or its answer counts as one that was not admitted.
 */
static bool is_silent(const struct connection *c)
{
	return c->state == TALKING || c->state == HALF ||
		(c->state == ANSWERED && c->work == NO_WORKER);
}

/*
 * Ends the one that has been silent longest, of all; of the OWN peers; or of
 * the OWN peers of one user.
 */
static bool forget_silent(struct service *s, bool own, const uid_t *uid)
{
	struct connection *c, *silent = NULL;

	for (SERVICE_EACH(s, c))
		if (is_silent(c) && (!own || c->peer.rank == OWN) &&
		    (!uid || c->peer.uid == *uid) &&
		    (!silent || c->order < silent->order))
			silent = c;
	if (silent)
		connections_forget(s, silent);
	return silent != NULL;
}

bool connections_forget_silent(struct service *s)
{
	return forget_silent(s, false, NULL);
}

void connections_expire(struct service *s)
{
	const int64_t now = clock_ms();
	struct connection *c;

	for (SERVICE_EACH(s, c)) {
		const int64_t silent = now - c->heard;

		if ((c->state == TALKING && silent > IDLE_MS) ||
		    (c->state == HALF && silent > SILENCE_MS) ||
		    (c->state == ANSWERED && c->work == NO_WORKER &&
		     silent > IDLE_MS))
			connections_forget(s, c);
		else if (c->state == ANSWERED && c->work == PARKED &&
			 !c->got && silent > GOT_MS)
			connections_drop_worker(s, c);
	}
}

bool connections_full(const struct service *s)
{
	const struct connection *c;

	if (s->used < SERVICE_CONNECTIONS)
		return false;
	for (SERVICE_EACH(s, c))
		if (is_silent(c))
			return false;
	return true;
}

/* ---- who comes in ---- */

void connections_heard(struct service *s, struct connection *c)
{
	c->heard = clock_ms();
	c->order = ++s->order;
}

static struct connection *find_free(struct service *s)
{
	struct connection *c = s->connections;

	if (s->used == SERVICE_CONNECTIONS && !connections_forget_silent(s))
		return NULL;
	while (c->state != FREE)
		c++;
	return c;
}

static int greet(int fd, const struct options *o)
{
	struct hello hello = {
		.minlen = o->minlen, .maxlen = policy_max_password(&o->policy)
	};
	struct stat st;

	if (stat("/etc", &st) < 0)
		return -1;
	hello.dev = st.st_dev;
	hello.ino = st.st_ino;
	return hello_send(fd, &hello);
}

/*
 * Returns false if a user has as many connections as one may have, or all users
 * together have, and none of them is silent.
 */
static bool has_room(struct service *s, const struct peer *peer)
{
	const struct connection *c;
	unsigned all = 0, own = 0;

	if (peer->rank != OWN)
		return true;
	for (SERVICE_EACH(s, c)) {
		all += c->peer.rank == OWN;
		own += c->peer.rank == OWN && c->peer.uid == peer->uid;
	}
	if (own >= OF_ONE_USER)
		return forget_silent(s, true, &peer->uid);
	return all < SERVICE_CONNECTIONS - KEPT_FREE ||
		forget_silent(s, true, NULL);
}

static int enter(struct service *s, int fd, const struct peer *peer,
		 const struct options *o)
{
	struct connection *c = find_free(s);

	if (!c || greet(fd, o) < 0)
		return -1;
	c->state = TALKING;
	c->fd = fd;
	c->peer = *peer;
	s->used++;
	if (s->reached <= (size_t)(c - s->connections))
		s->reached = (unsigned)(c - s->connections) + 1;
	connections_heard(s, c);
	return 0;
}

/* Another module decides about who has no account here: hello of no system. */
static void turn_away(int fd)
{
	const struct hello nowhere = { 0 };

	(void)hello_send(fd, &nowhere);
}

/* Where the service ends, it closes what connects: modules ask the next one. */
static void take(struct service *s, int fd)
{
	const struct options *o = rights_refresh();
	struct peer peer;

	if (s->end > 0 || rights_peer(fd, &peer) < 0) {
		close_read(fd);
		return;
	}
	if (peer.rank == STRANGER)
		turn_away(fd);
	if (peer.rank == STRANGER || !has_room(s, &peer) ||
	    enter(s, fd, &peer, o) < 0)
		close_read(fd);
}

/* The process that has started a private service gains no right by it. */
void connections_take(struct service *s, int fd)
{
	const struct peer root = { .uid = 0, .rank = ROOT };

	if (enter(s, fd, &root, configuration()) < 0)
		close_read(fd);
}

void connections_accept(struct service *s)
{
	int i, fd;

	for (i = 0; i < TAKE && !connections_full(s); i++) {
		fd = accept4(s->listener, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0) {
			take(s, fd);
			continue;
		}
		if (errno == EAGAIN)
			return;
		if (!connections_forget_silent(s)) {
			s->retry = true;
			return;
		}
	}
}
