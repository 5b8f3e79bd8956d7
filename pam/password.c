/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * password.c - a new password, in the two calls of pam_sm_chauthtok(3).
 *
 * Quality and history are other modules' business: pam_pwquality(8) and
 * pam_pwhistory(8) stand before this one and leave their token.
 */
#include "phases.h"

#include <security/pam_ext.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "account.h"
#include "helper.h"
#include "local.h"
#include "remark.h"

#define MAX_TRIES 3	/* of pam_unix(8) */

/*
 * The real user ID: passwd(1) is set-user-id.  Whom login(1) makes change an
 * expired password is not root, though login is.
 */
static int by_root(unsigned flags)
{
	return getuid() == 0 && !(flags & PAM_CHANGE_EXPIRED_AUTHTOK);
}

static uint32_t aging_flags(unsigned flags)
{
	return (by_root(flags) ? FLAG_ROOT : 0) |
		((flags & PAM_CHANGE_EXPIRED_AUTHTOK) ? FLAG_EXPIRED_ONLY : 0);
}

static int check_aging(pam_handle_t *pamh, unsigned flags,
		       const struct options *o, const char *user)
{
	struct request req;
	struct answer answer;
	int code;

	helper_request(&req, OP_ACCOUNT, user, o);
	code = helper_ask(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer);
	code = account_change(code, aging_flags(flags));
	if (code == PAM_AUTHTOK_ERR)
		remark(pamh, flags, PAM_ERROR_MSG,
		       (flags & PAM_CHANGE_EXPIRED_AUTHTOK) ?
		       _("Your password is not expired.") :
		       _("You must wait longer to change your password."));
	return code;
}

int phase_prelim(pam_handle_t *pamh, unsigned flags, const struct options *o,
		 const char *user)
{
	const char *old;
	int code = local_user(user);

	if (code != PAM_SUCCESS) {
		pam_syslog(pamh, LOG_DEBUG, code == PAM_USER_UNKNOWN ?
			   "user \"%s\" does not exist in /etc/passwd" :
			   "password of user \"%s\" is not in /etc/shadow",
			   user);
		return code;
	}
	if (phase_blank(pamh, o, user))
		return PAM_SUCCESS;
	if (by_root(flags))
		return check_aging(pamh, flags, o, user);
	if (!(flags & PAM_SILENT)) {
		code = pam_info(pamh, _("Changing password for %s."), user);
		if (code != PAM_SUCCESS)
			return code;
	}
	code = pam_get_authtok(pamh, PAM_OLDAUTHTOK, &old, NULL);
	if (code != PAM_SUCCESS) {
		pam_syslog(pamh, LOG_NOTICE,
			   "password - (old) token not obtained");
		return code;
	}
	code = phase_verify(pamh, o, user, old);
	return code == PAM_SUCCESS ? check_aging(pamh, flags, o, user) : code;
}

/* Why a password cannot be taken, as pam_unix(8) says it, or NULL. */
static const char *objection(const char *old, const char *new, unsigned flags,
			     const struct options *o)
{
	size_t len = strlen(new);

	if (len == 0)
		return _("No password has been supplied.");
	if (old && strcmp(old, new) == 0)
		return _("The password has not been changed.");
	if (len > LYRA2_MAX_PASSWORD)
		return _("You must choose a shorter password.");
	if (len < o->minlen && !by_root(flags))
		return _("You must choose a longer password.");
	return NULL;
}

/* Who may not be asked, because of use_authtok, has one try. */
static int ask_new(pam_handle_t *pamh, unsigned flags,
		   const struct options *o, const char *old, const char **new)
{
	int tries = o->use_authtok || o->use_first_pass ? 1 : MAX_TRIES;

	while (tries-- > 0) {
		int code = pam_get_authtok(pamh, PAM_AUTHTOK, new, NULL);
		const char *why;

		if (code != PAM_SUCCESS)
			return code;
		why = objection(old, *new, flags, o);
		if (!why)
			return PAM_SUCCESS;
		remark(pamh, flags, PAM_ERROR_MSG, why);
		pam_set_item(pamh, PAM_AUTHTOK, NULL);
	}
	pam_syslog(pamh, LOG_NOTICE, "new password not acceptable");
	return PAM_AUTHTOK_ERR;
}

int phase_update(pam_handle_t *pamh, unsigned flags, const struct options *o,
		 const char *user)
{
	struct request req;
	struct answer answer;
	const void *old;
	const char *new;
	int code = local_user(user);

	if (code != PAM_SUCCESS)	/* as phase_prelim() has said */
		return code;
	code = pam_get_item(pamh, PAM_OLDAUTHTOK, &old);
	if (code != PAM_SUCCESS) {
		pam_syslog(pamh, LOG_NOTICE, "user not authenticated");
		return code;
	}
	code = ask_new(pamh, flags, o, old, &new);
	if (code != PAM_SUCCESS)
		return code;
	helper_request(&req, OP_SET, user, o);
	req.flags |= aging_flags(flags);
	if (old || !by_root(flags))
		req.flags |= FLAG_CHECK_OLD;
	request_text(req.password, sizeof(req.password), old ? old : "");
	request_text(req.new_password, sizeof(req.new_password), new);
	return helper_ask(pamh, o, &req, PAM_AUTHTOK_ERR, &answer);
}
