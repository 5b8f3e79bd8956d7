/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads requests, and puts them into the queue. */
#include "requests.h"

#include <ctype.h>
#include <security/_pam_types.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "connections.h"
#include "pam/work/answer.h"
#include "report.h"
#include "source.h"
#include "uids.h"

/*
 * Returns true for /dev/tty1, console, ttyS0: terminals that no network user
 * has.
 */
static bool is_console(const struct request *req)
{
	const char *tty = req->tty;

	if (strncmp(tty, "/dev/", 5) == 0)
		tty += 5;
	return strcmp(req->user, "root") == 0 && req->caller == 0 &&
		req->rhost[0] == '\0' && (strcmp(tty, "console") == 0 ||
		(strncmp(tty, "tty", 3) == 0 && tty[3] != '\0' &&
		 tty[3] != '/'));
}

/*
 * A request has lost its place in the queue.  A rehash is left out.  Else the
 * module, which waits for an answer, asks again.
 */
static void lose(struct service *s, struct connection *c)
{
	if (c->work == AGAIN && c->state != WORKING) {
		connections_drop_worker(s, c);
		return;
	}
	answer_send(c->fd, REPLY_AGAIN, 0);
	connections_forget(s, c);
}

int requests_enqueue(struct service *s, struct connection *c, bool again)
{
	const struct sched_request r = {
		.id = (int)(c - s->connections), .source = c->source,
		.account = source_account(c->req.user),
		.console = !again && is_console(&c->req), .rehash = again
	};

	const int rc = sched_add(&s->sched, &r);

	if (rc == 0 && s->sched.lost >= 0)
		lose(s, &s->connections[s->sched.lost]);
	return rc;
}

/*
 * Looks for the second packet, which only a worker reads, or for the end of the
 * connection.
 */
static void look_for_secret(struct service *s, struct connection *c)
{
	const enum inbox what = connections_look(c->fd);

	if (what == INBOX_EMPTY)
		return;
	if (what != INBOX_PACKET || requests_enqueue(s, c, false) < 0) {
		connections_forget(s, c);
		return;
	}
	c->state = WAITING;
	answer_send(c->fd, REPLY_QUEUED, (int)s->sched.count);
}

/* Fields of a log line have no character that could begin another field. */
static void make_word(char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("._:-", *text))
			*text = '?';
}

/*
 * Corrects the header.  All callers without an account are one.  A user of
 * /etc/passwd, who can make the module's lookup fail, stays a caller of its
 * own.  Only root's programs may name a caller and a terminal, and only a
 * service's may name a host.
 */
static void correct(struct connection *c)
{
	c->uid = c->req.caller;
	if (c->peer.rank == ROOT) {
		if ((c->req.flags & FLAG_NO_ACCOUNT) && uids_have(c->uid) != 1)
			c->req.caller = CALLER_UNKNOWN;
		return;
	}
	c->uid = c->req.caller = c->peer.uid;
	c->req.tty[0] = '\0';
	if (c->peer.rank == OWN)
		c->req.rhost[0] = '\0';
	make_word(c->req.rhost);
	make_word(c->req.service);
}

static void read_header(struct service *s, struct connection *c)
{
	const enum inbox what = connections_look(c->fd);

	if (what == INBOX_EMPTY)
		return;
	if (what != INBOX_PACKET || request_recv(c->fd, &c->req) < 0 ||
	    !(c->op = rights_operation(c->req.op))) {
		connections_forget(s, c);
		return;
	}
	connections_heard(s, c);
	correct(c);
	c->source = source_of(&c->req);
	c->state = ASKED;
	s->asked = true;
}

/* ---- what takes no hash ---- */

static void refuse(struct service *s, struct connection *c)
{
	if (c->req.op == OP_VERIFY)
		report_line(c->source, LOG_NOTICE, "password check of "
			    "another user refused [UID=%lu]",
			    (unsigned long)c->peer.uid);
	answer_send(c->fd, REPLY_VERDICT, PAM_AUTHINFO_UNAVAIL);
	connections_forget(s, c);
}

static void log_private(const struct connection *c)
{
	if (c->req.flags & FLAG_SILENT)
		report_line(REPORT_SELF, LOG_WARNING, "lyra2d does not "
			    "answer: serving %s alone; \"systemctl restart "
			    "lyra2d\" may help", c->req.service);
	else
		report_line(REPORT_SELF, LOG_NOTICE, "lyra2d does not run "
			    "here: serving %s alone; \"systemctl start lyra2d\""
			    " starts it", c->req.service);
}

static void look_at(struct service *s, struct connection *c)
{
	if (!rights_allow(c->op, &c->peer, &c->req)) {
		refuse(s, c);
		return;
	}
	c->state = c->op->at_once ? TALKING : HALF;
	if (c->op->at_once)
		c->op->at_once(c->fd, &c->req);
	else if (service_is_private(s))
		log_private(c);
}

/* Orders connections by source, and within a source by arrival. */
static int compare(const void *a, const void *b)
{
	const struct connection *x = *(struct connection *const *)a;
	const struct connection *y = *(struct connection *const *)b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void requests_look(struct service *s)
{
	static struct connection *asked[SERVICE_CONNECTIONS];
	uint64_t last = 0;
	struct connection *c;
	size_t i, n = 0;

	if (!s->asked)
		return;
	s->asked = false;
	for (SERVICE_EACH(s, c))
		if (c->state == ASKED)
			asked[n++] = c;
	qsort(asked, n, sizeof(asked[0]), compare);
	for (i = 0; i < n; i++)
		if (i > 0 && asked[i]->source == last) {
			s->asked = true;
		} else {
			last = asked[i]->source;
			look_at(s, asked[i]);
		}
}

void requests_hear(struct service *s, struct connection *c)
{
	if (c->state == TALKING)
		read_header(s, c);
	else
		look_for_secret(s, c);
}

void requests_beat(const struct service *s)
{
	const struct connection *c;

	for (SERVICE_EACH(s, c))
		if (c->state == WAITING)
			answer_send(c->fd, REPLY_QUEUED, (int)s->sched.count);
		else if (c->state == WORKING || c->state == BRAKED)
			answer_send(c->fd, REPLY_WORKING, 0);
}
