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
#include "pam/process.h"
#include "queue.h"
#include "rehash.h"
#include "set-password.h"
#include "start.h"

/* Drops all supplementary groups and saved IDs. */
static void become_root(void)
{
	gid_t group;
	int groups = getgroups(1, &group);

	if (getuid() != 0 || geteuid() != 0)
		_exit(4);
	if (!process_is_root() &&
	    (setresgid(0, 0, 0) < 0 || setresuid(0, 0, 0) < 0))
		_exit(4);
	/* If a user namespace refuses this, there are no such groups. */
	if (groups != 0 && (groups != 1 || group != 0))
		(void)setgroups(0, NULL);
}

/*
 * Goes on in a child, so that the application need not wait for the rehash.
 * This process ends first: login(1) takes the first child of its own that ends
 * for its shell.  Returns false in the parent, and if there is no child; *last
 * is then whether this process ends the conversation.
 */
static bool detach(bool *last)
{
	pid_t pid;

	queue_pause();
	pid = fork();
	if (pid < 0)
		syslog(LOG_ERR, "password not rehashed: %m");
	*last = pid <= 0;
	if (pid == 0) {
		alarm(HELPER_SECONDS);
		queue_resume();
	}
	return pid == 0;
}

static bool answer(const struct request *req)
{
	struct subject s;
	int code = answer_find(req, &s);
	bool last = true;

	if (code != PAM_SUCCESS)
		answer_verdict(code);
	else if (req->op == OP_SET)
		answer_verdict(set_password(req, &s));
	else if (req->op == OP_VERIFY && answer_verify(req, &s) &&
		 policy_rehashes(&req->policy, &s.entry.stored) &&
		 (!(req->flags & FLAG_DETACH) || detach(&last)))
		rehash_after_login(req, &s);
	queue_leave();
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
