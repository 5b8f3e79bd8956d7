/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chkpwd.c - lyra2_chkpwd(8): verifies a password, never writes.
 *
 * Set-group-id to the group of /etc/shadow.  Root may ask for anyone, others
 * for the one name that the system gives their user ID.
 */
#include <pwd.h>
#include <security/_pam_types.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "admit.h"
#include "serve.h"

static int may_ask(const char *user)
{
	const struct passwd *pw;

	if (getuid() == 0)
		return 1;
	pw = getpwuid(getuid());
	return pw && strcmp(pw->pw_name, user) == 0;
}

/*
 * The module's log lines come from the caller; these can be trusted: they
 * have no name that only the caller gave.
 */
static void log_failure(const char *user, int allowed)
{
	if (getuid() == 0)
		return;
	openlog("lyra2_chkpwd", LOG_PID, LOG_AUTHPRIV);
	if (allowed)
		syslog(LOG_NOTICE, "password check failed for user (%s)", user);
	else
		syslog(LOG_NOTICE,
		       "password check of another user refused [UID=%lu]",
		       (unsigned long)getuid());
}

static void verify(const struct request *req, const struct subject *s,
		   int allowed)
{
	if (serve_verify(req, s) != PAM_SUCCESS)
		log_failure(req->user, allowed);
}

/* All that needs the group is done before it is given up. */
static void answer(const struct request *req)
{
	struct subject s = { .found = PAM_AUTHINFO_UNAVAIL, .slot = -1 };
	const int allowed = may_ask(req->user);
	int rc = 0;

	if (allowed)
		rc = serve_find(req, &s);
	else if (!getpwnam(req->user))
		s.found = PAM_USER_UNKNOWN;
	serve_drop_privileges();
	if (rc == 0 && req->op == OP_VERIFY)
		verify(req, &s, allowed);
	else if (rc == 0 && req->op == OP_BLANK)
		serve_blank(&s);
	else if (rc == 0 && req->op == OP_ACCOUNT)
		serve_account(&s);
	admit_leave(&s.slot);
	explicit_bzero(&s, sizeof(s));
}

int main(int argc, char **argv)
{
	static struct request req;

	(void)argv;
	serve_start(argc);
	if (serve_read(&req) == 0)
		answer(&req);
	explicit_bzero(&req, sizeof(req));
	serve_end();
	return 0;
}
