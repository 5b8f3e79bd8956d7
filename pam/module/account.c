/* SPDX-License-Identifier: BSD-2-Clause */
/* Account: logs, and tells the user, what the dates of the account mean. */
#include "phases.h"

#include <security/pam_ext.h>
#include <stdio.h>
#include <syslog.h>

#include "ask.h"

/* pam_unix(8) comes next for unknown users, and logs the same. */
static void say_unknown(pam_handle_t *pamh, const struct options *o,
			const char *user)
{
	if (!o->before_unix)
		pam_syslog(pamh, LOG_ERR,
			   "could not identify user (from getpwnam(%s))",
			   user);
}

static void say_expired(pam_handle_t *pamh, unsigned flags, const char *user,
			const char *why)
{
	pam_syslog(pamh, LOG_NOTICE, "account %s has expired (%s)", user, why);
	phases_tell(pamh, flags, PAM_ERROR_MSG,
		    _("Your account has expired; please contact your system "
		      "administrator."));
}

static void say_required(pam_handle_t *pamh, unsigned flags, const char *user,
			 bool by_root)
{
	pam_syslog(pamh, by_root ? LOG_NOTICE : LOG_DEBUG,
		   "expired password for user %s (%s)", user,
		   by_root ? "root enforced" : "password aged");
	phases_tell(pamh, flags, PAM_ERROR_MSG, by_root ?
		    _("You are required to change your password immediately "
		      "(administrator enforced).") :
		    _("You are required to change your password immediately "
		      "(password expired)."));
}

static void warn(pam_handle_t *pamh, unsigned flags, const char *user,
		 long days)
{
	char text[256];

	if (days < 0)
		return;
	pam_syslog(pamh, LOG_DEBUG,
		   "password for user %s will expire in %ld days", user, days);
	snprintf(text, sizeof(text), dngettext(PHASES_DOMAIN,
		 "Warning: your password will expire in %ld day.",
		 "Warning: your password will expire in %ld days.",
		 (unsigned long)days), days);
	phases_tell(pamh, flags, PAM_TEXT_INFO, text);
}

/* The password expired, not the account: a login with a key may ignore it. */
static bool expired(int code)
{
	return code == PAM_NEW_AUTHTOK_REQD || code == PAM_AUTHTOK_EXPIRED;
}

/*
 * The verdict is never left to pam_unix(8): that it is loaded does not say that
 * this stack calls it.
 */
int account_check(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user)
{
	struct request req;
	struct answer answer;
	int code;

	ask_request(&req, OP_ACCOUNT, user, o);
	code = ask_helper(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer);
	/* A password that is too young to be changed is valid for a login. */
	if (code == PAM_AUTHTOK_ERR || (expired(code) && o->no_pass_expiry &&
					!auth_succeeded(pamh)))
		code = PAM_SUCCESS;
	if (code == PAM_USER_UNKNOWN)
		say_unknown(pamh, o, user);
	else if (code == PAM_ACCT_EXPIRED)
		say_expired(pamh, flags, user, "account expired");
	else if (code == PAM_AUTHTOK_EXPIRED)
		say_expired(pamh, flags, user, "failed to change password");
	else if (code == PAM_NEW_AUTHTOK_REQD)
		say_required(pamh, flags, user, answer.days == 0);
	else if (code == PAM_SUCCESS)
		warn(pamh, flags, user, answer.days);
	return code;
}
