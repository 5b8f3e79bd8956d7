/* SPDX-License-Identifier: BSD-2-Clause */
/* aging.c - tells log and user what an account's dates mean for him. */
#include "phases.h"

#include <security/pam_ext.h>
#include <stdio.h>
#include <syslog.h>

#include "helper.h"
#include "remark.h"

static void say_expired(pam_handle_t *pamh, unsigned flags, const char *user,
			const char *why)
{
	pam_syslog(pamh, LOG_NOTICE, "account %s has expired (%s)", user, why);
	remark(pamh, flags, PAM_ERROR_MSG,
	       _("Your account has expired; please contact your system "
		 "administrator."));
}

static void say_required(pam_handle_t *pamh, unsigned flags, const char *user,
			 int by_root)
{
	pam_syslog(pamh, by_root ? LOG_NOTICE : LOG_DEBUG,
		   "expired password for user %s (%s)", user,
		   by_root ? "root enforced" : "password aged");
	remark(pamh, flags, PAM_ERROR_MSG, by_root ?
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
	snprintf(text, sizeof(text), dngettext(REMARK_DOMAIN,
		 "Warning: your password will expire in %ld day.",
		 "Warning: your password will expire in %ld days.",
		 (unsigned long)days), days);
	remark(pamh, flags, PAM_TEXT_INFO, text);
}

int phase_account(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user)
{
	struct request req;
	struct answer answer;
	int code;

	helper_request(&req, OP_ACCOUNT, user, o);
	code = helper_ask(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer);
	/* Too early for a change is no obstacle to a login. */
	if (code == PAM_AUTHTOK_ERR)
		code = PAM_SUCCESS;
	if (code == PAM_USER_UNKNOWN)
		pam_syslog(pamh, LOG_ERR,
			   "could not identify user (from getpwnam(%s))",
			   user);
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
