/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2_chkpwd(8): verifies a password, never writes.
 *
 * Set-group-id to the group of /etc/shadow.  Root may ask for anyone, and so
 * may who has that file open to read it; others for the one name that the
 * system gives their user ID.
 */
#include <fcntl.h>
#include <pwd.h>
#include <security/_pam_types.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "answer.h"
#include "queue.h"
#include "src/stored/paths.h"
#include "start.h"

static bool reads_shadow;

/*
 * Whether the caller could compute every verdict itself: it gives us the file,
 * open for reading.  To open it with O_PATH takes no permission.  Comes before
 * anything is opened here.
 */
static bool given_shadow(void)
{
	int flags = fcntl(SHADOW_FD, F_GETFL);
	int mode = flags & (O_ACCMODE | O_PATH);
	struct stat given, own;
	bool same;

	if (flags < 0)
		return false;
	same = (mode == O_RDONLY || mode == O_RDWR) &&
		fstat(SHADOW_FD, &given) == 0 &&
		stat(PATH_SHADOW, &own) == 0 && S_ISREG(given.st_mode) &&
		given.st_dev == own.st_dev && given.st_ino == own.st_ino;
	close(SHADOW_FD);
	return same;
}

static bool may_ask(const char *user)
{
	const struct passwd *pw;

	if (getuid() == 0 || reads_shadow)
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
	int code;

	if (!may_ask(req->user)) {
		refuse(req);
		return true;
	}
	code = answer_find(req, &s);
	start_drop_privileges();
	if (code != PAM_SUCCESS)
		answer_verdict(code);
	else if (req->op == OP_VERIFY)
		answer_verify(req, &s);
	else if (req->op == OP_BLANK)
		answer_blank(&s);
	else if (req->op == OP_ACCOUNT)
		answer_account(&s);
	queue_leave();
	explicit_bzero(&s, sizeof(s));
	return true;
}

int main(int argc, char **argv)
{
	(void)argv;
	reads_shadow = given_shadow();
	start_helper("lyra2_chkpwd", argc);
	return answer_one(answer);
}
