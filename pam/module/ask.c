/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts a helper, asks it, and reads its answer.
 *
 * Every wait has a limit.  The socket may stay open after the helper exits, if
 * another thread of the application forks at the wrong moment and the new
 * process has a copy: the end of the helper is known by its pidfd.
 */
#include "ask.h"

#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "pam/clock.h"
#include "phases.h"
#include "spawn.h"
#include "src/stored/paths.h"

#define TICK_MS 10
#define SEND_SECONDS 10
#ifndef P_PIDFD
#define P_PIDFD 3
#endif

struct helper {
	const char *path;
	const struct request *req;
	pid_t pid;
	int fd;			/* the socket to it */
	int pidfd;		/* -1: not supported by the system */
	int64_t deadline;
	bool answered;		/* the verdict has come */
};

/*
 * A process that the helper leaves becomes the child of the system's first
 * process, unless the application has asked for such children.
 */
static bool gets_orphans(void)
{
	int reaper = 0;

	return getpid() == 1 ||
		(prctl(PR_GET_CHILD_SUBREAPER, &reaper) == 0 && reaper != 0);
}

void ask_request(struct request *req, enum op op, const char *user,
		 const struct options *o)
{
	memset(req, 0, sizeof(*req));
	req->op = op;
	req->flags = (o->nullok ? FLAG_NULLOK : 0) |
		(gets_orphans() ? 0 : FLAG_DETACH);
	req->policy = o->policy;
	request_text(req->user, sizeof(req->user), user);
}

/*
 * Whether the user is elsewhere.  With pam_rhost, sudo(8) names this host, and
 * with fqdn its domain, too.
 */
static bool is_remote(pam_handle_t *pamh)
{
	const char *rhost = phases_item(pamh, PAM_RHOST);
	char here[HOST_MAX + 1];
	size_t len;

	if (gethostname(here, sizeof(here)) < 0)
		return rhost[0] != '\0';
	len = strlen(here);
	return rhost[0] != '\0' && (strncmp(rhost, here, len) != 0 ||
		(rhost[len] != '\0' && rhost[len] != '.'));
}

/*
 * The user on whose behalf the application runs.  sudo(8) has changed its real
 * user ID by now, but gives the name of its user.
 */
static uint32_t caller(pam_handle_t *pamh)
{
	const char *ruser = phases_item(pamh, PAM_RUSER);
	const struct passwd *pw;

	if (getuid() != 0 || is_remote(pamh) || ruser[0] == '\0')
		return getuid();
	pw = pam_modutil_getpwnam(pamh, ruser);
	return pw ? pw->pw_uid : 0;
}

/* With an effective user ID 0, as in su, the helper can become real root. */
static const char *program(const struct request *req)
{
	bool writes = req->op == OP_SET || (req->op == OP_VERIFY &&
		req->policy.rehash != REHASH_NEVER && geteuid() == 0);

	return writes ? PATH_UPDATE : PATH_CHKPWD;
}

/* Milliseconds until the deadline, for poll(2). */
static int left(const struct helper *h)
{
	int64_t ms = h->deadline - clock_ms();

	return ms > 0 ? (int)ms : 0;
}

static int start(struct helper *h)
{
	int pair[2], saved;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	h->pid = spawn_helper(h->path, pair[1], &h->pidfd);
	saved = errno;
	close(pair[1]);
	if (h->pid < 0) {
		close(pair[0]);
		errno = saved;
		return -1;
	}
	h->fd = pair[0];
	h->deadline = clock_ms() + HELPER_SECONDS * 1000;
	return 0;
}

/*
 * Whether there is something to read before the deadline.  After the verdict
 * the helper may have left the rest to a process of its own and ended.
 */
static bool wait_reply(const struct helper *h)
{
	struct pollfd p[] = {
		{ .fd = h->fd, .events = POLLIN },
		{ .fd = h->answered ? -1 : h->pidfd, .events = POLLIN }
	};
	int n;

	do
		n = poll(p, 2, left(h));
	while (n < 0 && errno == EINTR);
	/* It may have sent something between the first poll and its exit. */
	return n > 0 && (p[0].revents || poll(p, 1, 0) > 0);
}

/* Asked after the verdict: where groups come from may be far away. */
static bool may_rehash(pam_handle_t *pamh, const struct options *o,
		       const struct request *req)
{
	return req->op != OP_VERIFY || o->rehash_group[0] == '\0' ||
		o->policy.rehash == REHASH_NEVER ||
		pam_modutil_user_in_group_nam_nam(pamh, req->user,
						  o->rehash_group);
}

static void take_reply(pam_handle_t *pamh, const struct options *o,
		       struct helper *h, const struct reply *reply,
		       struct answer *answer)
{
	switch (reply->kind) {
	case REPLY_VERDICT:
		answer->verdict = reply->number;
		h->answered = true;
		if (answer->verdict == PAM_SUCCESS &&
		    !may_rehash(pamh, o, h->req))
			(void)shutdown(h->fd, SHUT_WR);
		else
			(void)request_acknowledge(h->fd);
		h->deadline = clock_ms() + AFTER_VERDICT_MS;
		break;
	case REPLY_DAYS:
		answer->days = reply->number;
		break;
	case REPLY_LOG:
		if (reply->number != LOG_DEBUG || o->debug)
			pam_syslog(pamh, reply->number, "%s", reply->text);
		break;
	default:
		break;
	}
}

/* Returns whether the helper has sent its last reply. */
static bool listen_to(pam_handle_t *pamh, const struct options *o,
		      struct helper *h, struct answer *answer)
{
	struct reply reply;

	while (wait_reply(h) && reply_recv(h->fd, &reply) == 0) {
		if (reply.kind == REPLY_END)
			return true;
		take_reply(pamh, o, h, &reply, answer);
	}
	return false;
}

/*
 * Waits until the deadline for the end of the helper.  Leaves *end empty if it
 * still runs, or if the application has reaped it, which it can where a sandbox
 * has no children without a signal.
 */
static void reap(const struct helper *h, siginfo_t *end)
{
	struct pollfd p = { .fd = h->pidfd, .events = POLLIN };
	idtype_t type = h->pidfd < 0 ? P_PID : P_PIDFD;
	id_t id = (id_t)(h->pidfd < 0 ? h->pid : h->pidfd);
	int ms;

	memset(end, 0, sizeof(*end));
	while (waitid(type, id, end, WEXITED | WNOHANG | __WALL) == 0 ||
	       errno == EINTR) {
		ms = left(h);
		if (end->si_pid != 0 || ms == 0)
			return;
		(void)poll(&p, 1, h->pidfd < 0 && ms > TICK_MS ? TICK_MS : ms);
	}
}

static void log_end(pam_handle_t *pamh, const struct helper *h,
		    const siginfo_t *end)
{
	char how[96] = "";

	if (end->si_code == CLD_EXITED && end->si_status == SPAWN_FAILED)
		snprintf(how, sizeof(how), ": it cannot be run");
	else if (end->si_pid != 0 && end->si_status == SIGSYS &&
		 end->si_code != CLD_EXITED)
		snprintf(how, sizeof(how), ": a system call is forbidden "
			 "here, see CAVEATS in pam_lyra2(8)");
	else if (h->answered && end->si_pid != 0 && end->si_status == 0)
		snprintf(how, sizeof(how), ": its child was killed; for "
			 "sandboxes see CAVEATS in pam_lyra2(8)");
	else if (end->si_pid != 0)
		snprintf(how, sizeof(how), ": %s %d",
			 end->si_code == CLD_EXITED ? "exit status" : "signal",
			 end->si_status);
	pam_syslog(pamh, LOG_CRIT, "%s ended early%s", h->path, how);
}

/*
 * Whether a user, or the queue, may have ended the helper.  A crash, or a call
 * that a sandbox forbids, is no user's doing: the next module may try.
 */
static bool was_stopped(const siginfo_t *end)
{
	static const int crash[] = { SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGSYS };
	size_t i;

	for (i = 0; i < sizeof(crash) / sizeof(crash[0]); i++)
		if (end->si_status == crash[i])
			return false;
	return end->si_code != CLD_EXITED;
}

/* Returns whether the helper was stopped, or may have been. */
static bool converse(pam_handle_t *pamh, const struct options *o,
		     struct helper *h, const struct request *req,
		     struct answer *answer)
{
	siginfo_t end;
	bool ended;

	if (request_set_timeout(h->fd, SEND_SECONDS) < 0 ||
	    request_send(h->fd, req) < 0) {
		/* EPIPE: it has ended, and the end is logged below. */
		if (errno != EPIPE)
			pam_syslog(pamh, LOG_CRIT, "cannot ask %s: %m",
				   h->path);
		/* The helper must not wait for the rest. */
		shutdown(h->fd, SHUT_WR);
	}
	ended = listen_to(pamh, o, h, answer);
	/* If another process has a copy, closing is not enough. */
	shutdown(h->fd, SHUT_RDWR);
	close(h->fd);
	if (!ended && left(h) > AFTER_VERDICT_MS)
		h->deadline = clock_ms() + AFTER_VERDICT_MS;
	reap(h, &end);
	if (!ended && left(h) > 0)
		log_end(pamh, h, &end);
	else if (!h->answered)
		pam_syslog(pamh, LOG_CRIT, "%s gave no answer", h->path);
	if (h->pidfd >= 0)
		close(h->pidfd);
	return was_stopped(&end);
}

static void say_where(pam_handle_t *pamh, struct request *req)
{
	req->caller = caller(pamh);
	if (phases_item(pamh, PAM_TTY)[0] != '\0')
		req->flags |= FLAG_TERMINAL;
	request_text(req->rhost, sizeof(req->rhost),
		     phases_item(pamh, PAM_RHOST));
}

int ask_helper(pam_handle_t *pamh, const struct options *o,
	       struct request *req, int fallback, struct answer *answer)
{
	struct helper h = { .path = program(req), .req = req };
	bool stopped = true;

	answer->verdict = fallback;
	answer->days = -1;
	say_where(pamh, req);
	if (start(&h) < 0)
		pam_syslog(pamh, LOG_CRIT, "cannot start %s: %m", h.path);
	else
		stopped = converse(pamh, o, &h, req, answer);
	/* Users can see to that.  The next module must not hash instead. */
	if (req->op == OP_VERIFY && !h.answered && stopped)
		answer->verdict = PAM_CRED_UNAVAIL;
	explicit_bzero(req, sizeof(*req));
	return answer->verdict;
}
