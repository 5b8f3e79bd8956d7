/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pam_lyra2.c - the six entry points of the module, and nothing else.
 *
 * Return codes, messages and log lines are those of pam_unix(8): what reads
 * them should not have to know which of the two a system uses.
 */
/* All else is hidden; these prototypes are what libpam looks for. */
#pragma GCC visibility push(default)
#include <security/pam_modules.h>
#pragma GCC visibility pop
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <stdio.h>
#include <syslog.h>
#include <unistd.h>

#include "phases.h"

static void complain(void *pamh, const char *text)
{
	pam_syslog(pamh, LOG_ERR, "%s", text);
}

/*
 * Names that begin with + or - were special to NIS: libraries have had bugs
 * with them.
 */
static int get_user(pam_handle_t *pamh, const struct options *o,
		    const char **user)
{
	int code = pam_get_user(pamh, user, NULL);

	if (code == PAM_SUCCESS && ((*user)[0] == '-' || (*user)[0] == '+')) {
		pam_syslog(pamh, LOG_NOTICE, "bad username [%s]", *user);
		return PAM_USER_UNKNOWN;
	}
	if (o->debug && code == PAM_SUCCESS)
		pam_syslog(pamh, LOG_DEBUG, "username [%s] obtained", *user);
	if (o->debug && code != PAM_SUCCESS && code != PAM_CONV_AGAIN)
		pam_syslog(pamh, LOG_DEBUG, "could not obtain username");
	return code;
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc,
			const char **argv)
{
	struct options o;
	const char *user;
	int code;

	options_read(&o, argc, argv, complain, pamh);
	code = get_user(pamh, &o, &user);
	if (code == PAM_CONV_AGAIN)
		return PAM_INCOMPLETE;
	if (code != PAM_SUCCESS)
		return code;
	return phase_auth(pamh, (unsigned)flags, &o, user);
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
	(void)pamh;
	(void)flags;
	(void)argc;
	(void)argv;
	return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc,
		     const char **argv)
{
	struct options o;
	const void *user;

	options_read(&o, argc, argv, complain, pamh);
	if (pam_get_item(pamh, PAM_USER, &user) != PAM_SUCCESS || !user) {
		pam_syslog(pamh, LOG_ERR,
			   "could not identify user (from uid=%lu)",
			   (unsigned long)getuid());
		return PAM_USER_UNKNOWN;
	}
	return phase_account(pamh, (unsigned)flags, &o, user);
}

int pam_sm_chauthtok(pam_handle_t *pamh, int flags, int argc,
		     const char **argv)
{
	struct options o;
	const char *user;
	int code;

	options_read(&o, argc, argv, complain, pamh);
	/* Who has no password must be able to choose one. */
	o.nullok = 1;
	code = get_user(pamh, &o, &user);
	if (code != PAM_SUCCESS)
		return code;
	if ((unsigned)flags & PAM_PRELIM_CHECK)
		return phase_prelim(pamh, (unsigned)flags, &o, user);
	if ((unsigned)flags & PAM_UPDATE_AUTHTOK)
		return phase_update(pamh, (unsigned)flags, &o, user);
	pam_syslog(pamh, LOG_CRIT, "password received unknown request");
	return PAM_ABORT;
}

static int session(pam_handle_t *pamh, const char *what, const void **user)
{
	const void *service;

	if (pam_get_item(pamh, PAM_USER, user) != PAM_SUCCESS || !*user ||
	    *(const char *)*user == '\0') {
		pam_syslog(pamh, LOG_ERR, "%s - error recovering username",
			   what);
		return PAM_SESSION_ERR;
	}
	if (pam_get_item(pamh, PAM_SERVICE, &service) != PAM_SUCCESS ||
	    !service || *(const char *)service == '\0') {
		pam_syslog(pamh, LOG_CRIT, "%s - error recovering service",
			   what);
		return PAM_SESSION_ERR;
	}
	return PAM_SUCCESS;
}

int pam_sm_open_session(pam_handle_t *pamh, int flags, int argc,
			const char **argv)
{
	struct options o;
	const void *user;
	const struct passwd *pw;
	const char *login = pam_modutil_getlogin(pamh);
	char uid[32] = "getpwnam error";
	int code = session(pamh, "open_session", &user);

	(void)flags;
	options_read(&o, argc, argv, complain, pamh);
	if (code != PAM_SUCCESS || o.quiet)
		return code;
	pw = pam_modutil_getpwnam(pamh, user);
	if (pw)
		snprintf(uid, sizeof(uid), "%u", (unsigned)pw->pw_uid);
	pam_syslog(pamh, LOG_INFO,
		   "session opened for user %s(uid=%s) by %s(uid=%lu)",
		   (const char *)user, uid, login ? login : "",
		   (unsigned long)getuid());
	return PAM_SUCCESS;
}

int pam_sm_close_session(pam_handle_t *pamh, int flags, int argc,
			 const char **argv)
{
	struct options o;
	const void *user;
	int code = session(pamh, "close_session", &user);

	(void)flags;
	options_read(&o, argc, argv, complain, pamh);
	if (code == PAM_SUCCESS && !o.quiet)
		pam_syslog(pamh, LOG_INFO, "session closed for user %s",
			   (const char *)user);
	return code;
}
