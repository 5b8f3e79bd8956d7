/* SPDX-License-Identifier: BSD-2-Clause */
/* The service: see the rules in serve.h. */
#include "serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "configuration.h"
#include "inbox.h"
#include "names.h"
#include "pam/protocol/clock.h"
#include "pam/work/answer.h"
#include "pam/work/log.h"
#include "pam/work/worker.h"
#include "peer.h"
#include "sched.h"
#include "source.h"
#include "start.h"

#define IDLE_MS 120000		/* between questions: somebody types */
#define RETRY_MS 100

enum state {
	FREE,
	TALKING,		/* no request yet */
	HALF,			/* a header, and no password yet */
	WAITING,		/* in the queue */
	WORKING			/* a worker has it */
};

struct connection {
	enum state state;
	int fd;			/* to the module; of WORKING: to the worker */
	struct peer peer;
	bool nameless;		/* the peer's user ID has no name */
	bool slot;		/* its worker has one */
	bool rehash;		/* its worker waits for another */
	bool owes;		/* its source owes a count for it */
	int64_t heard;		/* when the peer last said something */
	uint64_t order;		/* of that, as many do in a millisecond */
	uint64_t source;
	struct request req;
};

static struct connection connections[SERVE_CONNECTIONS];
static struct sched sched;
static unsigned slots_taken, workers;
static bool ending, retry;
static int signals, listener;

static int id_of(const struct connection *c)
{
	return (int)(c - connections);
}

static void forget(struct connection *c)
{
	if (c->state == WAITING || c->state == WORKING)
		sched_remove(&sched, id_of(c));
	if (c->state == WORKING) {
		workers--;
		slots_taken -= c->slot;
		close(c->fd);
	} else {
		inbox_close(c->fd);
	}
	explicit_bzero(c, sizeof(*c));
}

/* ---- new connections ---- */

static void note_heard(struct connection *c)
{
	static uint64_t order;

	c->heard = clock_ms();
	c->order = ++order;
}

/* Whether it may have to go: nothing is lost but the way here. */
static bool is_silent(const struct connection *c)
{
	return c->state == TALKING || c->state == HALF;
}

/* The one that has been silent longest; of users only? */
static struct connection *find_silent(bool users)
{
	struct connection *c, *silent = NULL;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		if (is_silent(c) && !(users && c->peer.trusted) &&
		    (!silent || c->order < silent->order))
			silent = c;
	return silent;
}

/* Somebody else needs its place, or its descriptor. */
static struct connection *forget_silent(bool users)
{
	struct connection *c = find_silent(users);

	if (c)
		forget(c);
	return c;
}

static struct connection *find_free(void)
{
	struct connection *c;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		if (c->state == FREE)
			return c;
	return forget_silent(false);
}

/* Whether there may be one more connection of a user. */
static bool user_has_room(const struct peer *peer, bool nameless)
{
	unsigned all = 0, own = 0;
	struct connection *c;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++) {
		const bool user = c->state != FREE && !c->peer.trusted;

		all += user;
		own += user && (nameless ? c->nameless :
				c->peer.uid == peer->uid);
	}
	if (own >= SERVE_PER_USER)
		return false;
	if (all < SERVE_USERS)
		return true;
	return forget_silent(true) != NULL;
}

int serve_greet(int fd)
{
	const struct options *o = configuration();
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

static void take(int fd)
{
	struct connection *c;
	struct peer peer;
	bool nameless;

	if (inbox_prepare(fd) < 0 || peer_read(fd, &peer) < 0)
		goto refuse;
	nameless = !peer.trusted && !names_have(peer.uid);
	if (!peer.trusted && !user_has_room(&peer, nameless))
		goto refuse;
	c = find_free();
	if (!c || serve_greet(fd) < 0)
		goto refuse;
	c->state = TALKING;
	c->fd = fd;
	c->peer = peer;
	c->nameless = nameless;
	note_heard(c);
	return;
refuse:
	inbox_close(fd);
}

static bool is_full(void)
{
	const struct connection *c;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		if (c->state == FREE || is_silent(c))
			return false;
	return true;
}

/* Some at a time, so that a crowd does not hold up those who are in. */
static void accept_some(void)
{
	int i, fd;

	for (i = 0; i < 64 && !is_full(); i++) {
		fd = accept4(listener, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0) {
			take(fd);
			continue;
		}
		if (errno == EAGAIN)
			return;
		if (!forget_silent(false)) {
			retry = true;
			return;
		}
	}
}

/* ---- requests ---- */

/* /dev/tty1, console, ttyS0: where nobody sits who came over a network. */
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

static bool source_has_room(const struct connection *me)
{
	unsigned own = 0;
	const struct connection *c;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		own += c->state == WAITING && c->source == me->source;
	return own < SERVE_CONNECTIONS / 4;
}

static int enqueue(struct connection *c, bool rehash)
{
	const struct sched_request r = {
		.id = id_of(c), .source = c->source,
		.account = source_account(c->req.user),
		.console = !rehash && is_console(&c->req), .rehash = rehash
	};

	return sched_add(&sched, &r, clock_ms());
}

/*
 * Whether the second packet is there, which only a worker reads; or the module
 * has gone.
 */
static void look_for_secret(struct connection *c)
{
	const enum inbox what = inbox_look(c->fd);

	if (what == INBOX_EMPTY)
		return;
	if (what != INBOX_PACKET || !source_has_room(c) ||
	    enqueue(c, false) < 0) {
		forget(c);
		return;
	}
	c->state = WAITING;
	answer_send(c->fd, REPLY_QUEUED, (int)sched.count);
}

static void read_header(struct connection *c)
{
	const enum inbox what = inbox_look(c->fd);

	if (what == INBOX_EMPTY)
		return;
	if (what != INBOX_PACKET || request_recv(c->fd, &c->req) < 0) {
		forget(c);
		return;
	}
	note_heard(c);
	if (c->peer.uid != 0) {
		c->req.caller = c->peer.uid;
		c->req.tty[0] = '\0';
	}
	if (!peer_may_ask(&c->peer, &c->req)) {
		answer_refusal(c->fd, &c->req, c->peer.uid);
		forget(c);
	} else if (request_hashes(&c->req)) {
		c->source = source_of(&c->req);
		c->state = HALF;
	} else if (c->req.op == OP_BLANK || c->req.op == OP_AGING) {
		answer_at_once(c->fd, &c->req);
	} else {
		forget(c);
	}
}

/* ---- workers ---- */

/* The kernel is to end a worker, not the service, if memory runs out. */
static void be_killed_first(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "0", 1);
	close(fd);
}

__attribute__((noreturn))
static void run_worker(struct connection *me, int control,
		       const struct options *conf)
{
	static struct job job;
	struct connection *c;

	job.conf = conf;
	start_signals();
	alarm(WORK_SECONDS);
	close(listener);
	close(signals);
	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		if (c->state != FREE && c != me)
			close(c->fd);
	be_killed_first();
	job.fd = me->fd;
	job.control = control;
	job.lock = -1;
	job.has_slot = true;
	job.for_root = me->peer.uid == 0;
	job.req = me->req;
	worker_run(&job);
	_exit(0);
}

static int start_worker(struct connection *c)
{
	const struct options *conf = configuration();
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		run_worker(c, pair[1], conf);
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return -1;
	}
	close(c->fd);
	c->fd = pair[0];
	c->state = WORKING;
	workers++;
	return 0;
}

static void take_slot(struct connection *c)
{
	c->slot = true;
	slots_taken++;
}

static void give_slot_back(struct connection *c)
{
	slots_taken -= c->slot;
	c->slot = false;
}

static void let_rehash(struct connection *c)
{
	const char byte = CONTROL_REHASH;

	c->rehash = false;
	take_slot(c);
	(void)send(c->fd, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Who has waited for a slot gets it, as long as there are any. */
static void hand_out_slots(void)
{
	struct connection *c;
	int id;

	while (slots_taken < configuration_slots() &&
	       workers < SERVE_WORKERS &&
	       (id = sched_next(&sched, clock_ms())) >= 0) {
		c = &connections[id];
		if (c->state == WORKING) {
			let_rehash(c);
		} else if (start_worker(c) == 0) {
			take_slot(c);
		} else {
			log_line(LOG_ERR, "cannot start a worker: %m");
			if (enqueue(c, false) < 0)
				forget(c);
			(void)forget_silent(false);
			retry = true;
			return;
		}
	}
}

/* It ends without one, if too many wait. */
static void ask_for_rehash(struct connection *me)
{
	unsigned waiting = 0;
	const struct connection *c;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		waiting += c->rehash;
	if (waiting < SERVE_WORKERS / 2 && enqueue(me, true) == 0)
		me->rehash = true;
	else
		shutdown(me->fd, SHUT_WR);
}

static void hear_worker(struct connection *c)
{
	char byte;
	ssize_t n = recv(c->fd, &byte, 1, MSG_DONTWAIT);

	if (n < 0 && errno == EAGAIN)
		return;
	if (n != 1) {
		forget(c);
		return;
	}
	switch (byte) {
	case CONTROL_OWES:
		c->owes = true;
		sched_owe(&sched, c->source, clock_ms());
		give_slot_back(c);
		break;
	case CONTROL_DONE:
		give_slot_back(c);
		break;
	case CONTROL_COUNTED:	/* which only root's programs do */
		if (c->owes && c->peer.uid == 0)
			sched_pay(&sched, c->source);
		break;
	default:
		ask_for_rehash(c);
	}
}

/* ---- the loop ---- */

static void hear(struct connection *c, short events)
{
	if (!events)
		return;
	switch (c->state) {
	case TALKING:
		read_header(c);
		break;
	case HALF:
		look_for_secret(c);
		break;
	case WAITING:		/* it has gone */
		forget(c);
		break;
	case WORKING:
		hear_worker(c);
		break;
	case FREE:
		break;
	}
}

/* Once a second: who waits hears of it, who says nothing has to go. */
static void tick(void)
{
	const int64_t now = clock_ms();
	struct connection *c;

	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		if (c->state == WAITING)
			answer_send(c->fd, REPLY_QUEUED, (int)sched.count);
		else if ((c->state == TALKING && now - c->heard > IDLE_MS) ||
			 (c->state == HALF && now - c->heard > SILENCE_MS))
			forget(c);
}

/* Their modules ask the next service. */
static void begin_to_end(void)
{
	struct connection *c;

	ending = true;
	for (c = connections; c < connections + SERVE_CONNECTIONS; c++) {
		if (c->state == WAITING)
			answer_send(c->fd, REPLY_AGAIN, 0);
		if (c->state != FREE && c->state != WORKING)
			forget(c);
	}
}

static void take_signals(void)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && !ending)
			begin_to_end();
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static int wait_ms(int64_t next_tick)
{
	const int64_t now = clock_ms(), wake = sched_wake(&sched, now);
	int64_t until = next_tick;

	if (wake >= 0 && wake < until)
		until = wake;
	if (retry && now + RETRY_MS < until)
		until = now + RETRY_MS;
	retry = false;
	return until > now ? (int)(until - now) : 0;
}

static void poll_once(int64_t next_tick)
{
	static struct pollfd p[2 + SERVE_CONNECTIONS];
	static struct connection *of[2 + SERVE_CONNECTIONS];
	struct connection *c;
	nfds_t n = 2, i;

	p[0] = (struct pollfd){ ending || retry || is_full() ? -1 : listener,
		POLLIN, 0 };
	p[1] = (struct pollfd){ signals, POLLIN, 0 };
	for (c = connections; c < connections + SERVE_CONNECTIONS; c++)
		if (c->state != FREE) {
			p[n] = (struct pollfd){ c->fd,
				c->state == WAITING ? 0 : POLLIN, 0 };
			of[n++] = c;
		}
	if (poll(p, n, wait_ms(next_tick)) <= 0)
		return;
	for (i = 2; i < n; i++)
		hear(of[i], p[i].revents);
	if (p[1].revents)
		take_signals();
	if (p[0].revents && !ending)
		accept_some();
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_SETMASK, &set, NULL) < 0)
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int serve(int listening)
{
	int64_t next_tick = clock_ms() + HEARTBEAT_MS;

	listener = listening;
	signals = open_signals();
	/* A socket that systemd passes would wait in accept4(). */
	if (signals < 0 || fcntl(listener, F_SETFL, O_NONBLOCK) < 0) {
		syslog(LOG_CRIT, "cannot begin to serve: %m");
		return 1;
	}
	while (!ending || workers > 0) {
		poll_once(next_tick);
		if (clock_ms() >= next_tick) {
			tick();
			next_tick = clock_ms() + HEARTBEAT_MS;
		}
		hand_out_slots();
	}
	return 0;
}
