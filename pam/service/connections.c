/* SPDX-License-Identifier: BSD-2-Clause */
/* Accepts connections of lyra2d, and ends them. */
#include "connections.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answers.h"
#include "askers.h"
#include "pam/protocol/clock.h"

#define IDLE_MS 120000		/* between requests: a user types */
#define TAKE 64			/* at once, so that clients do not wait long */

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

/* Reads what is left: closing with unread packets would lose the last reply. */
static void close_read(int fd)
{
	(void)shutdown(fd, SHUT_RD);
	while (connections_look(fd) == INBOX_PACKET)
		(void)recv(fd, NULL, 0, MSG_DONTWAIT);
	close(fd);
}

/* ---- who has to go ---- */

void connections_forget(struct service *s, struct connection *c)
{
	if (c->state == WAITING || c->state == WORKING)
		sched_remove(&s->sched, (int)(c - s->connections));
	if (c->state == WORKING) {
		answers_end(s, c);
		s->workers--;
		s->slots_taken -= c->slot;
		close(c->fd);
	} else {
		close_read(c->fd);
	}
	s->used--;
	explicit_bzero(c, sizeof(*c));
	while (s->reached > 0 && s->connections[s->reached - 1].state == FREE)
		s->reached--;
}

/*
 * Returns true if the connection may be ended.  Its module only has to connect
 * again.
 */
static bool is_silent(const struct connection *c)
{
	return c->state == TALKING || c->state == HALF;
}

bool connections_forget_silent(struct service *s)
{
	struct connection *c, *silent = NULL;

	SERVICE_EACH(s, c)
		if (is_silent(c) && (!silent || c->order < silent->order))
			silent = c;
	if (silent)
		connections_forget(s, silent);
	return silent != NULL;
}

void connections_expire(struct service *s)
{
	const int64_t now = clock_ms();
	struct connection *c;

	SERVICE_EACH(s, c)
		if ((c->state == TALKING && now - c->heard > IDLE_MS) ||
		    (c->state == HALF && now - c->heard > SILENCE_MS))
			connections_forget(s, c);
}

bool connections_full(const struct service *s)
{
	const struct connection *c;

	if (s->used < SERVICE_CONNECTIONS)
		return false;
	SERVICE_EACH(s, c)
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

int connections_greet(int fd, const struct options *o)
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

static void take(struct service *s, int fd)
{
	const struct options *o;
	struct connection *c;
	struct peer peer;

	o = askers_refresh();
	if (peer_read(fd, &peer) < 0 || peer.rank == STRANGER)
		goto refuse;
	c = find_free(s);
	if (!c || connections_greet(fd, o) < 0)
		goto refuse;
	c->state = TALKING;
	c->fd = fd;
	c->peer = peer;
	s->used++;
	if (s->reached <= (size_t)(c - s->connections))
		s->reached = (unsigned)(c - s->connections) + 1;
	connections_heard(s, c);
	return;
refuse:
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
