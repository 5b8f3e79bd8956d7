/* SPDX-License-Identifier: BSD-2-Clause */
/* auth.c - authentication, and the checks it shares with the others. */
#include "phases.h"

#include <security/pam_ext.h>
#include <syslog.h>

#include "failure.h"
#include "helper.h"

#define DELAY_US 2000000	/* of pam_unix(8), after a failure */

int phase_blank(pam_handle_t *pamh, const struct options *o, const char *user)
{
	struct request req;
	struct answer answer;

	if (!o->nullok)
		return 0;
	helper_request(&req, OP_BLANK, user, o);
	return helper_ask(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer) ==
		PAM_SUCCESS;
}

int phase_verify(pam_handle_t *pamh, const struct options *o,
		 const char *user, const char *password)
{
	struct request req;
	struct answer answer;
	int code;

	if (!o->nodelay)
		(void)pam_fail_delay(pamh, DELAY_US);
	helper_request(&req, OP_VERIFY, user, o);
	request_text(req.password, sizeof(req.password), password);
	code = helper_ask(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer);
	return failure_note(pamh, user, code);
}

int phase_auth(pam_handle_t *pamh, unsigned flags,
	       const struct options *options, const char *user)
{
	struct options o = *options;
	const char *password;
	int code;

	if (flags & PAM_DISALLOW_NULL_AUTHTOK)
		o.nullok = 0;
	if (phase_blank(pamh, &o, user)) {
		pam_syslog(pamh, LOG_DEBUG, "user [%s] has blank password; "
			   "authenticated without it", user);
		return PAM_SUCCESS;
	}
	code = pam_get_authtok(pamh, PAM_AUTHTOK, &password, NULL);
	if (code == PAM_CONV_AGAIN)
		return PAM_INCOMPLETE;
	if (code != PAM_SUCCESS) {
		pam_syslog(pamh, LOG_CRIT,
			   "auth could not identify password for [%s]", user);
		return code;
	}
	return phase_verify(pamh, &o, user, password);
}
