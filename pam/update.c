/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * update.c - lyra2_update(8): verifies and rehashes, or sets a password.
 *
 * The only program that writes /etc/shadow.  It has no privilege of its own
 * and trusts the module for all rules, so only root gets an answer.
 */
#include <grp.h>
#include <security/_pam_types.h>
#include <string.h>
#include <unistd.h>

#include "admit.h"
#include "renew.h"
#include "serve.h"

/* Whose root it is, no group and no saved ID may tell another story. */
static void become_root(void)
{
	if (getuid() != 0 || geteuid() != 0)
		_exit(4);
	if (setresgid(0, 0, 0) || setresuid(0, 0, 0))
		_exit(4);
	/* Refused where a user namespace denies it; then it is no matter. */
	(void)setgroups(0, NULL);
}

static void answer(const struct request *req)
{
	struct subject s;

	if (serve_find(req, &s))
		goto out;
	if (req->op == OP_SET)
		serve_verdict(renew_set(req, &s));
	else if (req->op == OP_VERIFY && serve_verify(req, &s) == PAM_SUCCESS)
		renew_after_login(req, &s);
out:
	admit_leave(&s.slot);
	explicit_bzero(&s, sizeof(s));
}

int main(int argc, char **argv)
{
	static struct request req;

	(void)argv;
	serve_start(argc);
	become_root();
	if (serve_read(&req) == 0)
		answer(&req);
	explicit_bzero(&req, sizeof(req));
	serve_end();
	return 0;
}
