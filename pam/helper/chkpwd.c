/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2_chkpwd(8): verifies a password, never writes.
 *
 * Set-group-id to the group of /etc/shadow.  Root may ask for anyone, others
 * for the one name that the system gives their user ID.
 */
#include <pwd.h>
#include <security/_pam_types.h>
#include <stdbool.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "answer.h"
#include "queue.h"
#include "start.h"

static bool may_ask(const char *user)
{
	const struct passwd *pw;

	if (getuid() == 0)
		return true;
	pw = getpwuid(getuid());
	return pw && strcmp(pw->pw_name, user) == 0;
}

/* Compute nothing for callers that ask about another user. */
static void refuse(const struct request *req)
{
	if (req->op == OP_VERIFY)
		syslog(LOG_NOTICE,
		       "password check of another user refused [UID=%lu]",
		       (unsigned long)getuid());
	answer_verdict(getpwnam(req->user) ? PAM_AUTHINFO_UNAVAIL :
		       PAM_USER_UNKNOWN);
}

/* Do everything that needs the group before dropping it. */
static bool answer(const struct request *req)
{
	struct subject s;
	bool go_on;

	if (!may_ask(req->user)) {
		refuse(req);
		return true;
	}
	go_on = answer_find(req, &s);
	start_drop_privileges();
	if (go_on && req->op == OP_VERIFY)
		answer_verify(req, &s);
	else if (go_on && req->op == OP_BLANK)
		answer_blank(&s);
	else if (go_on && req->op == OP_ACCOUNT)
		answer_account(&s);
	queue_leave(&s.slot);
	explicit_bzero(&s, sizeof(s));
	return true;
}

int main(int argc, char **argv)
{
	(void)argv;
	start_helper("lyra2_chkpwd", argc);
	return answer_one(answer);
}
