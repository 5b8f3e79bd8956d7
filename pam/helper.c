/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.c - starts a helper, asks it, and reads its answer. */
#include "helper.h"

#include <errno.h>
#include <security/pam_ext.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "paths.h"
#include "spawn.h"

void helper_request(struct request *req, enum op op, const char *user,
		    const struct options *o)
{
	memset(req, 0, sizeof(*req));
	req->op = op;
	req->flags = o->nullok ? FLAG_NULLOK : 0;
	req->policy = o->policy;
	request_text(req->user, sizeof(req->user), user);
}

/* An effective root, as su has, can be a real one in the helper. */
static const char *program(const struct request *req)
{
	int writes = req->op == OP_SET || (req->op == OP_VERIFY &&
		req->policy.rehash != REHASH_NEVER && geteuid() == 0);

	return writes ? PATH_UPDATE : PATH_CHKPWD;
}

static int start(const char *path, pid_t *pid)
{
	int pair[2], saved;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	*pid = spawn_helper(path, pair[1]);
	saved = errno;
	close(pair[1]);
	if (*pid >= 0)
		return pair[0];
	close(pair[0]);
	errno = saved;
	return -1;
}

/* Returns 0 when the helper has said its last word, -1 when it just died. */
static int listen_to(pam_handle_t *pamh, const struct options *o, int fd,
		     struct answer *answer)
{
	struct reply reply;

	while (reply_recv(fd, &reply) == 0) {
		switch (reply.kind) {
		case REPLY_VERDICT:
			answer->verdict = reply.number;
			break;
		case REPLY_DAYS:
			answer->days = reply.number;
			break;
		case REPLY_LOG:
			if (reply.number != LOG_DEBUG || o->debug)
				pam_syslog(pamh, reply.number, "%s",
					   reply.text);
			break;
		default:
			return 0;
		}
	}
	return -1;
}

/*
 * The status is only read for the log: an application that ignores SIGCHLD,
 * or reaps every child in a handler, has already taken it.
 */
static void reap(pam_handle_t *pamh, pid_t pid, const char *path, int died)
{
	int status = 0;
	pid_t rc;

	do
		rc = waitpid(pid, &status, 0);
	while (rc < 0 && errno == EINTR);
	if (died)
		pam_syslog(pamh, LOG_CRIT, "%s ended early (status %d)", path,
			   rc == pid ? status : -1);
}

int helper_ask(pam_handle_t *pamh, const struct options *o,
	       struct request *req, int none, struct answer *answer)
{
	const char *path = program(req);
	pid_t pid;
	int fd = start(path, &pid), died;

	answer->verdict = none;
	answer->days = -1;
	if (fd < 0) {
		pam_syslog(pamh, LOG_CRIT, "cannot start %s: %m", path);
		goto out;
	}
	/* If this fails the helper is dead, and so says the next line. */
	(void)request_send(fd, req);
	died = listen_to(pamh, o, fd, answer);
	close(fd);
	reap(pamh, pid, path, died);
out:
	explicit_bzero(req, sizeof(*req));
	return answer->verdict;
}
