/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts workers for requests, and reads what workers send. */
#include "slots.h"

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
#include "pam/work/worker.h"
#include "report.h"
#include "requests.h"
#include "start.h"

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

__attribute__((noreturn))
static void run_worker(struct service *s, struct connection *me, int control,
		       const struct options *conf)
{
	static struct job job;
	struct connection *c;

	start_unblock();
	alarm(WORK_SECONDS);
	close(s->listener);
	close(s->signals);
	if (s->brake_file >= 0)
		close(s->brake_file);
	SERVICE_EACH(s, c)
		if (c != me)
			close(c->fd);
	be_killed_first();
	job.work = me->op->work;
	job.conf = conf;
	job.fd = me->fd;
	job.control = control;
	job.lock = -1;
	job.has_slot = true;
	job.owner = me->owner;
	job.braked = answers_braked(me);
	job.may_leave = job_may_leave;
	job.was_free = job_was_free;
	job.req = me->req;
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
	close(c->fd);
	c->fd = pair[0];
	c->worker = pid;
	c->state = WORKING;
	s->workers++;
	return 0;
}

/* ---- slots ---- */

static void take_slot(struct service *s, struct connection *c)
{
	c->slot = true;
	s->slots_taken++;
}

static void give_slot_back(struct service *s, struct connection *c)
{
	s->slots_taken -= c->slot;
	c->slot = false;
}

/* Sends the packet that the worker waits for. */
static void let_go_on(struct service *s, struct connection *c)
{
	const struct control control = { CONTROL_AGAIN, 0 };

	c->again = false;
	take_slot(s, c);
	(void)send(c->fd, &control, sizeof(control),
		   MSG_NOSIGNAL | MSG_DONTWAIT);
}

/*
 * Logs that no worker could start, and queues the request again.  Forgets the
 * connection if the queue refuses it.
 */
static void try_later(struct service *s, struct connection *c)
{
	report_line(s, REPORT_SELF, LOG_ERR, "cannot start a worker: %m");
	if (requests_enqueue(s, c, false) < 0)
		connections_forget(s, c);
	(void)connections_forget_silent(s);
	s->retry = true;
}

void slots_hand_out(struct service *s)
{
	struct connection *c;
	int id;

	while (s->sched.count > 0 &&
	       s->workers - s->waiting < SERVICE_WORKERS &&
	       configuration_has_slot(s->slots_taken) &&
	       (id = sched_next(&s->sched)) >= 0) {
		c = &s->connections[id];
		if (c->state == WORKING) {
			let_go_on(s, c);
		} else if (start_worker(s, c) == 0) {
			take_slot(s, c);
		} else {
			try_later(s, c);
			return;
		}
	}
}

/*
 * Queues a worker that needs a slot again.  If too many wait, the worker ends.
 */
static void ask_again(struct service *s, struct connection *me)
{
	unsigned waiting = 0;
	const struct connection *c;

	SERVICE_EACH(s, c)
		waiting += c->again;
	if (waiting < SERVICE_WORKERS / 2 && requests_enqueue(s, me, true) == 0)
		me->again = true;
	else
		shutdown(me->fd, SHUT_WR);
}

void slots_hear(struct service *s, struct connection *c)
{
	struct control control;
	ssize_t n = recv(c->fd, &control, sizeof(control), MSG_DONTWAIT);

	if (n < 0 && errno == EAGAIN)
		return;
	if (n != sizeof(control)) {
		connections_forget(s, c);
		return;
	}
	switch (control.kind) {
	case CONTROL_RIGHT:
	case CONTROL_WRONG:
		answers_add(s, c, control.kind == CONTROL_RIGHT,
			    control.number != 0);
		give_slot_back(s, c);
		break;
	case CONTROL_DONE:
		if (c->req.op == OP_SET)
			answers_stores(s, c);
		give_slot_back(s, c);
		break;
	case CONTROL_FREE:
		answers_free(s, c);
		break;
	case CONTROL_ANSWERED:
		s->answered++;
		break;
	case CONTROL_CONVERTED:
		s->converted++;
		break;
	default:
		ask_again(s, c);
	}
}

void slots_reap(struct service *s)
{
	struct connection *c;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		SERVICE_EACH(s, c)
			if (c->worker == pid)
				c->worker = 0;
}

void slots_end(struct service *s)
{
	const struct connection *c;

	SERVICE_EACH(s, c)
		if (c->worker > 0)
			(void)kill(c->worker, SIGTERM);
}
