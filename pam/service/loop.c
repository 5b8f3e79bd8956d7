/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the service: see the rules in service.h. */
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "answers.h"
#include "connections.h"
#include "pam/protocol/clock.h"
#include "pam/work/answer.h"
#include "pam/work/log.h"
#include "renew.h"
#include "report.h"
#include "requests.h"
#include "start.h"
#include "workers.h"

#define RETRY_MS 100

/* The module of an ANSWERED connection has sent a packet, or has ended. */
static void hear_tell(struct service *s, struct connection *c)
{
	enum tell what;

	if (tell_recv(c->fd, &what) < 0) {
		if (errno != EAGAIN)
			connections_leave(s, c);
		return;
	}
	c->heard = clock_ms();
	workers_got(c);
	if (what != TELL_ADMITTED)
		return;
	answers_admit(s, c);
	connections_leave(s, c);
}

static void hear_module(struct service *s, struct connection *c)
{
	switch (c->state) {
	case TALKING:
	case HALF:
		requests_hear(s, c);
		break;
	case ANSWERED:
		hear_tell(s, c);
		break;
	case ASKED:		/* it has gone */
	case WAITING:
	case WORKING:
	case BRAKED:
		connections_leave(s, c);
		break;
	case FREE:
		break;
	}
}

/* Begins to end: modules connect to the next service. */
static void begin_to_end(struct service *s)
{
	struct connection *c;

	s->end = clock_ms() + SERVICE_END_MS;
	report_end();
	workers_end(s);
	for (SERVICE_EACH(s, c)) {
		if (c->state == WAITING || c->state == BRAKED)
			answer_send(c->fd, REPLY_AGAIN, 0);
		if (c->work == NO_WORKER || c->state == BRAKED)
			connections_forget(s, c);
	}
}

static void take_signals(struct service *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && s->end == 0)
			begin_to_end(s);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return b >= 0 && b < a ? b : a;
}

/* Returns the milliseconds that poll(2) may wait, or -1 for no limit. */
static int wait_ms(const struct service *s, int64_t next_tick)
{
	const int64_t now = clock_ms(), wake = answers_wake(s);
	int64_t until = s->used > 0 || renew_known() ? next_tick : INT64_MAX;

	until = earlier(until, wake < 0 ? -1 : now + wake);
	until = earlier(until, report_wake(s));
	until = earlier(until, s->retry ? now + RETRY_MS : -1);
	until = earlier(until, s->asked ? now : -1);
	until = earlier(until, s->end > 0 ? s->end : -1);
	if (until == INT64_MAX)
		return -1;
	return until > now ? (int)(until - now) : 0;
}

/* Where a packet may lie that only a worker may read, only the end counts. */
static short events_of(const struct connection *c)
{
	return c->state == TALKING || c->state == HALF || c->state == ANSWERED ?
		POLLIN : POLLRDHUP;
}

/*
 * What poll(2) waits for: two for the service, at most two for each connection.
 * Only open descriptors are among them, because poll(2) refuses more entries
 * than RLIMIT_NOFILE.
 */
#define FIXED 2
static struct pollfd polled[FIXED + 2 * SERVICE_CONNECTIONS];
static struct connection *whose[FIXED + 2 * SERVICE_CONNECTIONS];

static nfds_t add(nfds_t n, struct connection *c, int fd, short events)
{
	if (fd < 0)
		return n;
	polled[n] = (struct pollfd){ fd, events, 0 };
	whose[n] = c;
	return n + 1;
}

static nfds_t fill(struct service *s)
{
	const bool closed = s->retry || connections_full(s);
	struct connection *c;
	nfds_t n = FIXED;

	polled[0] = (struct pollfd){ closed ? -1 : s->listener, POLLIN, 0 };
	polled[1] = (struct pollfd){ s->signals, POLLIN, 0 };
	for (SERVICE_EACH(s, c)) {
		if (c->work != NO_WORKER)
			n = add(n, c, c->control, POLLIN);
		n = add(n, c, c->fd, events_of(c));
	}
	return n;
}

/*
 * A connection that ends while this goes on is FREE; one that begins has no
 * events, because new ones are accepted at the end.
 */
static void take_events(struct service *s, nfds_t n)
{
	nfds_t i;

	for (i = FIXED; i < n; i++) {
		struct connection *c = whose[i];

		if (!polled[i].revents || c->state == FREE)
			continue;
		if (c->work != NO_WORKER && polled[i].fd == c->control)
			workers_hear(s, c);
		else if (polled[i].fd == c->fd)
			hear_module(s, c);
	}
}

static void poll_once(struct service *s, int64_t next_tick)
{
	const nfds_t n = fill(s);
	const int ms = wait_ms(s, next_tick);

	s->retry = false;
	if (poll(polled, n, ms) <= 0)
		return;
	take_events(s, n);
	if (polled[1].revents)
		take_signals(s);
	if (polled[0].revents)
		connections_accept(s);
}

/* Without such a descriptor, signals do what they always do. */
static int open_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_SETMASK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	return fd;
}

/* A private service has one connection, and ends when it is answered. */
static bool is_over(const struct service *s)
{
	if (s->end > 0)
		return s->used == 0 || clock_ms() >= s->end;
	return service_is_private(s) && (s->used == 0 ||
		(s->connections[0].state == ANSWERED &&
		 s->connections[0].work == NO_WORKER));
}

static void tick(struct service *s)
{
	requests_beat(s);
	answers_beat(s);
	connections_expire(s);
	if (s->end == 0 && !service_is_private(s) && renew_due())
		begin_to_end(s);
}

static void serve(struct service *s)
{
	int64_t next_tick = clock_ms() + HEARTBEAT_MS;

	while (!is_over(s)) {
		poll_once(s, next_tick);
		requests_look(s);
		if (clock_ms() >= next_tick) {
			tick(s);
			next_tick = clock_ms() + HEARTBEAT_MS;
		}
		answers_release(s);
		workers_hand_out(s);
		report_tick(s);
	}
}

static struct service service;

static int open_service(int listener, int module)
{
	service.listener = listener;
	start_directory();
	service.signals = open_signals();
	if ((service.signals >= 0 || listener < 0) &&
	    fcntl(listener < 0 ? module : listener, F_SETFL, O_NONBLOCK) == 0)
		return 0;
	log_line(LOG_CRIT, "cannot set up the service: %m");
	return -1;
}

int loop_public(int listener)
{
	if (open_service(listener, -1) < 0)
		return 1;
	rights_refresh();
	(void)renew_due();	/* remembers what it has loaded */
	report_tick(&service);
	serve(&service);
	return 0;
}

/*
 * A worker ends a moment after its last word.  Whoever would be its next parent
 * may be the application, or a process that waits for no children.
 */
static void reap_last(const struct service *s)
{
	pid_t got;

	do
		got = waitpid(-1, NULL, s->end > 0 ? WNOHANG : 0);
	while (got > 0 || (got < 0 && errno == EINTR));
}

int loop_private(int module)
{
	if (open_service(-1, module) < 0)
		return 1;
	connections_take(&service, module);
	serve(&service);
	reap_last(&service);
	return 0;
}
