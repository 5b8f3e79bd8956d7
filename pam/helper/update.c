/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2_update(8): verifies and rehashes, or sets a password.
 *
 * The only program here that writes /etc/shadow.  It has no privilege of its
 * own and relies on the module for all rules, so it answers only root.
 */
#include <grp.h>
#include <security/_pam_types.h>
#include <stdbool.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "answer.h"
#include "queue.h"
#include "rehash.h"
#include "set-password.h"
#include "start.h"

/* Drops all supplementary groups and saved IDs. */
static void become_root(void)
{
	if (getuid() != 0 || geteuid() != 0)
		_exit(4);
	if (setresgid(0, 0, 0) < 0 || setresuid(0, 0, 0) < 0)
		_exit(4);
	/* If a user namespace refuses this, there are no such groups. */
	(void)setgroups(0, NULL);
}

/*
 * Goes on in a child: the application waits for the end of this process, and
 * must not have a child of ours afterwards.  login(1) takes the first one
 * that ends for its shell.  Returns false in the parent, and if there is no
 * child; *last is then whether this process ends the conversation.
 */
static bool detach(bool *last)
{
	pid_t pid = fork();

	if (pid < 0)
		syslog(LOG_ERR, "password hash not upgraded: %m");
	*last = pid <= 0;
	if (pid == 0)
		alarm(HELPER_SECONDS);
	return pid == 0;
}

static bool answer(const struct request *req)
{
	struct subject s;
	bool last = true;

	if (!answer_find(req, &s))
		goto out;
	if (req->op == OP_SET)
		answer_verdict(set_password(req, &s));
	else if (req->op == OP_VERIFY && answer_verify(req, &s) &&
		 rehash_due(req, &s) &&
		 (!(req->flags & FLAG_DETACH) || detach(&last)))
		rehash_after_login(req, &s);
out:
	queue_leave(&s.slot);
	explicit_bzero(&s, sizeof(s));
	return last;
}

int main(int argc, char **argv)
{
	(void)argv;
	start_helper("lyra2_update", argc);
	become_root();
	return answer_one(answer);
}
