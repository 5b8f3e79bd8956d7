/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts workers for requests, and reads what workers send. */
#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "answers.h"
#include "configuration.h"
#include "connections.h"
#include "pam/work/answer.h"
#include "pam/work/worker.h"
#include "renew.h"
#include "report.h"
#include "requests.h"
#include "start.h"
#include "turn.h"

/* ---- workers ---- */

/*
 * Gives up the service's OOM score, which is below 0.  So the kernel kills this
 * worker, not the service, if memory runs out.
 */
static void be_killed_first(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "0", 1);
	close(fd);
}

static void close_others(const struct service *s, const struct connection *me)
{
	const struct connection *c;

	if (s->listener >= 0)
		close(s->listener);
	close(s->signals);
	for (SERVICE_EACH(s, c)) {
		if (c == me)
			continue;
		if (c->fd >= 0)
			close(c->fd);
		if (c->work != NO_WORKER)
			close(c->control);
	}
}

__attribute__((noreturn))
static void run_worker(const struct service *s, const struct connection *me,
		       int control, const struct options *conf)
{
	static struct job job;

	start_unblock();
	alarm(WORK_SECONDS);
	close_others(s, me);
	be_killed_first();
	job.work = me->op->work;
	job.conf = conf;
	job.configuration = configuration;
	job.fd = me->fd;
	job.control = control;
	job.has_slot = true;
	job.req = me->req;
	if (service_is_private(s)) {
		job.turn = turn;
		turn(&job.req, true);
	}
	worker_run(&job);
	_exit(0);
}

static int start_worker(struct service *s, struct connection *c)
{
	const struct options *conf = configuration();
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		run_worker(s, c, pair[1], conf);
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return -1;
	}
	c->control = pair[0];
	c->worker = pid;
	c->state = WORKING;
	c->work = HASHING;
	answer_send(c->fd, REPLY_WORKING, 0);
	return 0;
}

/* ---- slots ---- */

/* Sends the packet that the worker waits for; without it, the worker ends. */
static void let_go_on(struct connection *c, enum control_kind kind)
{
	const struct control control = { .kind = kind };

	if (send(c->control, &control, sizeof(control),
		 MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		(void)shutdown(c->control, SHUT_RDWR);
}

/*
 * Logs that no worker could start, and queues the request again.  Forgets the
 * connection if the queue refuses it.
 */
static void try_later(struct service *s, struct connection *c)
{
	report_line(REPORT_SELF, LOG_ERR, "cannot start a worker: %m");
	if (requests_enqueue(s, c, false) < 0)
		connections_forget(s, c);
	(void)connections_forget_silent(s);
	s->retry = true;
}

/* Rule 10 of service.h says who does not count. */
static unsigned count_workers(const struct service *s)
{
	const struct connection *c;
	unsigned n = 0;

	for (SERVICE_EACH(s, c))
		n += c->work != NO_WORKER && !answers_is_held(c);
	return n;
}

void workers_hand_out(struct service *s)
{
	unsigned hashing, workers;
	struct connection *c;
	int id;

	if (s->sched.count == 0)
		return;
	hashing = service_hashing(s);
	workers = count_workers(s);
	while (s->sched.count > 0 && workers < SERVICE_WORKERS &&
	       configuration_has_slot(hashing) &&
	       (id = sched_next(&s->sched)) >= 0) {
		c = &s->connections[id];
		if (c->work == AGAIN) {
			c->work = HASHING;
			let_go_on(c, CONTROL_AGAIN);
		} else if (start_worker(s, c) == 0) {
			workers++;
		} else {
			try_later(s, c);
			return;
		}
		hashing++;
	}
}

/*
 * Queues a worker that needs a slot again.  If too many wait, the worker ends.
 */
static void ask_again(struct service *s, struct connection *me)
{
	unsigned waiting = 0;
	const struct connection *c;

	for (SERVICE_EACH(s, c))
		waiting += c->work == AGAIN;
	me->stores = false;
	if (waiting < SERVICE_WORKERS / 2 &&
	    requests_enqueue(s, me, true) == 0) {
		me->work = AGAIN;
		answers_hold(s, me->source);
	} else {
		workers_end_of(s, me);
	}
}

/*
 * A worker that ends without an answer has failed: the module asks again.  One
 * with a new password does so only if it is told that nothing was stored.
 */
void workers_end_of(struct service *s, struct connection *c)
{
	if (c->state == WORKING && c->req.op == OP_SET && !c->stores)
		answer_send(c->fd, REPLY_AGAIN, 0);
	if (c->state == WORKING || c->fd < 0)
		connections_forget(s, c);
	else
		connections_drop_worker(s, c);
}

static void take_packet(struct service *s, struct connection *c,
			const struct control *control)
{
	switch (control->kind) {
	case CONTROL_VERDICT:
		if (c->state != WORKING)
			break;
		c->work = PARKED;
		c->own = control->own;
		c->verdict = control->verdict;
		answers_add(s, c);
		break;
	case CONTROL_DONE:
		if (c->work == HASHING)
			c->work = PARKED;
		answers_hold(s, c->source);
		break;
	case CONTROL_CONVERTED:
		s->converted++;
		break;
	case CONTROL_AGAIN:
		ask_again(s, c);
		break;
	case CONTROL_STALE:
		renew_erofs();
		if (c->state == WORKING)
			workers_end_of(s, c);
		break;
	case CONTROL_STORES:
		c->stores = true;
		break;
	default:
		break;
	}
}

void workers_hear(struct service *s, struct connection *c)
{
	struct control control;
	const ssize_t n = recv(c->control, &control, sizeof(control),
			       MSG_DONTWAIT);

	if (n < 0 && errno == EAGAIN)
		return;
	if (n == sizeof(control))
		take_packet(s, c, &control);
	else
		workers_end_of(s, c);
}

void workers_got(struct connection *c)
{
	if (c->got || c->work == NO_WORKER)
		return;
	c->got = true;
	let_go_on(c, CONTROL_GOT);
}

void workers_end(struct service *s)
{
	const struct connection *c;

	for (SERVICE_EACH(s, c))
		if (c->work != NO_WORKER)
			(void)kill(c->worker, SIGTERM);
}
