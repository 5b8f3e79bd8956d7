/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Talks to a helper without the module, for tests:
 *
 *	ask OP FLAGS CONF USER PASSWORD NEW COMMAND...
 *
 * OP and FLAGS are the numbers of pam/request.h, CONF is a configuration file.
 * COMMAND is a helper, or what starts one (strace, setpriv), with a socket as
 * its standard input.  Prints each reply; exit status 1 if the helper ends
 * without its last word.  The environment's CALLER is the real user ID to name,
 * RHOST the remote host, and ASK makes this an odd module: "silent" does not
 * acknowledge the verdict, "gone" is gone once it has asked, "half" sends half
 * of a request, "costly" asks for hashes that no configuration can.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pam/request.h"
#include "src/stored/options.h"

static void complain(void *arg, const char *text)
{
	(void)arg;
	fprintf(stderr, "%s\n", text);
}

static void fill(struct request *req, char **argv)
{
	struct options o;
	char conf[256];

	snprintf(conf, sizeof(conf), "conf=%s", argv[3]);
	options_read(&o, 1, (const char *[]){ conf }, complain, NULL);
	req->op = (uint32_t)atoi(argv[1]);
	req->flags = (uint32_t)atoi(argv[2]);
	req->policy = o.policy;
	if (getenv("CALLER"))
		req->caller = (uint32_t)atoi(getenv("CALLER"));
	if (getenv("RHOST"))
		request_text(req->rhost, sizeof(req->rhost), getenv("RHOST"));
	request_text(req->user, sizeof(req->user), argv[4]);
	request_text(req->password, sizeof(req->password), argv[5]);
	request_text(req->new_password, sizeof(req->new_password), argv[6]);
}

static bool is_odd(const char *how)
{
	const char *ask = getenv("ASK");

	return ask && strcmp(ask, how) == 0;
}

static void make_costly(struct request *req)
{
	req->policy.params.t_cost = UINT32_MAX;
	req->policy.params.rows = 1 << 20;
}

static int listen_to(int fd)
{
	static const char *const kinds[] = {
		"?", "verdict", "days", "log", "end"
	};
	struct reply reply;

	while (reply_recv(fd, &reply) == 0) {
		printf("%s %d %s\n", kinds[reply.kind % 5], reply.number,
		       reply.text);
		fflush(stdout);
		if (reply.kind == REPLY_VERDICT && !is_odd("silent"))
			request_acknowledge(fd);
		if (reply.kind == REPLY_END)
			return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	static struct request req;
	int pair[2], rc;

	if (argc < 8 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				   pair))
		return 100;
	fill(&req, argv);
	if (is_odd("costly"))
		make_costly(&req);
	if (fork() == 0) {
		dup2(pair[1], STDIN_FILENO);
		execvp(argv[7], argv + 7);
		_exit(127);
	}
	close(pair[1]);
	if (is_odd("half"))
		(void)!write(pair[0], "\1\1\0\0half", 8);
	else if (request_send(pair[0], &req) < 0)
		perror("request");
	if (is_odd("gone"))
		return 0;
	rc = listen_to(pair[0]);
	close(pair[0]);
	while (wait(NULL) > 0)
		continue;
	return rc;
}
