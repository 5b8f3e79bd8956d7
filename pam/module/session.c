/* SPDX-License-Identifier: BSD-2-Clause */
/* Session: logs that it was opened and closed. */
#include "phases.h"

#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <stdio.h>
#include <syslog.h>
#include <unistd.h>

/* Returns NULL, after logging it, if the user or service is not known. */
static const char *session_user(pam_handle_t *pamh, const char *what)
{
	const char *user = phases_item(pamh, PAM_USER);

	if (user[0] == '\0') {
		pam_syslog(pamh, LOG_ERR, "%s - error recovering username",
			   what);
		return NULL;
	}
	if (phases_item(pamh, PAM_SERVICE)[0] == '\0') {
		pam_syslog(pamh, LOG_CRIT, "%s - error recovering service",
			   what);
		return NULL;
	}
	return user;
}

static void log_opened(pam_handle_t *pamh, const char *user)
{
	const struct passwd *pw = pam_modutil_getpwnam(pamh, user);
	const char *login = pam_modutil_getlogin(pamh);
	char uid[32] = "getpwnam error";

	if (pw)
		snprintf(uid, sizeof(uid), "%u", (unsigned)pw->pw_uid);
	pam_syslog(pamh, LOG_INFO,
		   "session opened for user %s(uid=%s) by %s(uid=%lu)", user,
		   uid, login ? login : "", (unsigned long)getuid());
}

int session_open(pam_handle_t *pamh, const struct options *o)
{
	const char *user;

	if (o->before_unix)	/* pam_unix(8) logs the same */
		return PAM_IGNORE;
	user = session_user(pamh, "open_session");
	if (!user)
		return PAM_SESSION_ERR;
	if (!o->quiet)
		log_opened(pamh, user);
	return PAM_SUCCESS;
}

int session_close(pam_handle_t *pamh, const struct options *o)
{
	const char *user;

	if (o->before_unix)
		return PAM_IGNORE;
	user = session_user(pamh, "close_session");
	if (!user)
		return PAM_SESSION_ERR;
	if (!o->quiet)
		pam_syslog(pamh, LOG_INFO, "session closed for user %s", user);
	return PAM_SUCCESS;
}
