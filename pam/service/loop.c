/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the service: see the rules in service.h. */
#include "loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <syslog.h>
#include <unistd.h>

#include "answers.h"
#include "askers.h"
#include "connections.h"
#include "pam/protocol/clock.h"
#include "pam/work/answer.h"
#include "renew.h"
#include "report.h"
#include "requests.h"
#include "slots.h"

#define RETRY_MS 100

static void hear(struct service *s, struct connection *c)
{
	switch (c->state) {
	case TALKING:
	case HALF:
		requests_hear(s, c);
		break;
	case ASKED:
	case WAITING:		/* it has gone */
		connections_forget(s, c);
		break;
	case WORKING:
		slots_hear(s, c);
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
	report_end(s);
	slots_end(s);
	SERVICE_EACH(s, c) {
		if (c->state == WAITING)
			answer_send(c->fd, REPLY_AGAIN, 0);
		if (c->state != WORKING)
			connections_forget(s, c);
	}
}

static void take_signals(struct service *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && s->end == 0)
			begin_to_end(s);
	slots_reap(s);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return b >= 0 && b < a ? b : a;
}

/* Returns the milliseconds that poll(2) may wait, or -1 for no limit. */
static int wait_ms(struct service *s, int64_t next_tick)
{
	const int64_t now = clock_ms(), wake = answers_wake(s);
	int64_t until = s->used > 0 ? next_tick : INT64_MAX;

	until = earlier(until, wake < 0 ? -1 : now + wake);
	until = earlier(until, report_wake(s));
	until = earlier(until, s->retry ? now + RETRY_MS : -1);
	until = earlier(until, s->asked ? now : -1);
	until = earlier(until, s->end > 0 ? s->end : -1);
	s->retry = false;
	if (until == INT64_MAX)
		return -1;
	return until > now ? (int)(until - now) : 0;
}

static void poll_once(struct service *s, int64_t next_tick)
{
	static struct pollfd p[2 + SERVICE_CONNECTIONS];
	static struct connection *of[2 + SERVICE_CONNECTIONS];
	const bool closed = s->end > 0 || s->retry || connections_full(s);
	struct connection *c;
	nfds_t n = 2, i;

	p[0] = (struct pollfd){ closed ? -1 : s->listener, POLLIN, 0 };
	p[1] = (struct pollfd){ s->signals, POLLIN, 0 };
	SERVICE_EACH(s, c) {
		p[n] = (struct pollfd){ c->fd, c->state == WAITING ||
			c->state == ASKED ? 0 : POLLIN, 0 };
		of[n++] = c;
	}
	if (poll(p, n, wait_ms(s, next_tick)) <= 0)
		return;
	for (i = 2; i < n; i++)
		if (p[i].revents)
			hear(s, of[i]);
	if (p[1].revents)
		take_signals(s);
	if (p[0].revents && s->end == 0)
		connections_accept(s);
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

int loop(int listener)
{
	static struct service service;
	struct service *s = &service;
	int64_t next_tick = clock_ms() + HEARTBEAT_MS;

	s->listener = listener;
	s->signals = open_signals();
	answers_open(s);
	askers_refresh();
	/*
	 * Without O_NONBLOCK, accept4() would wait on a socket that systemd
	 * passes.
	 */
	if (s->signals < 0 || fcntl(listener, F_SETFL, O_NONBLOCK) < 0) {
		syslog(LOG_CRIT, "cannot set up the service: %m");
		return 1;
	}
	(void)renew_due();	/* remembers what it has loaded */
	report_tick(s);
	while (s->end == 0 || (s->workers > 0 && clock_ms() < s->end)) {
		poll_once(s, next_tick);
		requests_look(s);
		if (clock_ms() >= next_tick) {
			requests_comfort(s);
			answers_comfort(s);
			connections_expire(s);
			if (s->end == 0 && renew_due())
				begin_to_end(s);
			next_tick = clock_ms() + HEARTBEAT_MS;
		}
		answers_release(s);
		slots_hand_out(s);
		report_tick(s);
	}
	return 0;
}
