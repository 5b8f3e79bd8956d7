/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets a new password, in the two calls of pam_sm_chauthtok(3).
 *
 * Rules for good passwords and the history of old ones are left to
 * pam_pwquality(8) and pam_pwhistory(8).  They come before this module in the
 * stack, ask for the new password and pass it on.
 */
#include "phases.h"

#include <security/pam_ext.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "ask.h"
#include "failure.h"
#include "say.h"

/*
 * The real user ID counts, because passwd(1) is set-user-id.  login(1) runs as
 * root, but it is the user who changes an expired password there.
 */
static bool by_root(unsigned flags)
{
	return getuid() == 0 && !(flags & PAM_CHANGE_EXPIRED_AUTHTOK);
}

static uint32_t aging_flags(unsigned flags)
{
	return by_root(flags) ? FLAG_ROOT : 0;
}

/*
 * In the stack, "unknown" and "ignore" mean that the user is not in the files,
 * and that pam_unix(8) may write.  Errors must never return these codes.
 */
static int of_the_files(int code)
{
	return code == PAM_USER_UNKNOWN || code == PAM_IGNORE ?
		PAM_AUTHINFO_UNAVAIL : code;
}

/*
 * Returns PAM_SUCCESS if the module sets this user's password.  Else logs why
 * not.
 */
static int check_found(pam_handle_t *pamh, const struct status *status,
		       const char *user)
{
	if (status->found == PAM_USER_UNKNOWN)
		say(pamh, LOG_DEBUG,
		    "user \"%s\" does not exist in /etc/passwd", user);
	else if (status->found == PAM_IGNORE)
		say(pamh, LOG_DEBUG,
		    "password of user \"%s\" is not in /etc/shadow", user);
	else
		return PAM_SUCCESS;
	return status->found;
}

static int look_up(pam_handle_t *pamh, unsigned flags, const struct options *o,
		   const char *user, struct status *status)
{
	const int code = phases_status(pamh, o, aging_flags(flags), user,
				       status);

	/*
	 * A program that is not root's may not ask, and can set no password in
	 * the files.  Users of LDAP or SSSD can have theirs changed.
	 */
	if (code == PAM_AUTHINFO_UNAVAIL && geteuid() != 0)
		return PAM_USER_UNKNOWN;
	return code == PAM_SUCCESS ? check_found(pamh, status, user) :
		of_the_files(code);
}

static int check_aging(pam_handle_t *pamh, unsigned flags,
		       const struct status *status)
{
	const int code = of_the_files(status->change);

	if (code == PAM_AUTHTOK_ERR)
		phases_tell(pamh, flags, PAM_ERROR_MSG,
			    _("You must wait longer to change your password."));
	return code;
}

static int verify_old(pam_handle_t *pamh, unsigned flags,
		      const struct options *o, const char *user)
{
	const char *old;
	int code = PAM_SUCCESS;

	if (!(flags & PAM_SILENT))
		code = pam_info(pamh, _("Changing password for %s."), user);
	if (code != PAM_SUCCESS)
		return code;
	code = pam_get_authtok(pamh, PAM_OLDAUTHTOK, &old, NULL);
	if (code != PAM_SUCCESS) {
		say(pamh, LOG_NOTICE, "password - (old) token not obtained");
		return code;
	}
	return of_the_files(phases_verify(pamh, o, FLAG_NO_REHASH, user, old,
					  false));
}

static int prelim(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user)
{
	struct status status;
	int code = look_up(pamh, flags, o, user, &status);

	/* A user without a password must be able to set one. */
	if (code != PAM_SUCCESS || status.blank)
		return code;
	if (!by_root(flags))
		code = verify_old(pamh, flags, o, user);
	return code == PAM_SUCCESS ? check_aging(pamh, flags, &status) : code;
}

/*
 * Returns why a new password is refused, in the words of pam_unix(8), or NULL.
 */
static const char *objection(const char *old, const char *new, unsigned flags,
			     uint32_t minlen, uint32_t maxlen)
{
	size_t len = strlen(new);

	if (len == 0)
		return _("No password has been supplied.");
	if (old && strcmp(old, new) == 0)
		return _("The password has not been changed.");
	if (len > maxlen)
		return _("You must choose a shorter password.");
	if (len < minlen && !by_root(flags))
		return _("You must choose a longer password.");
	return NULL;
}

/*
 * Asks for the new password, three times at most.  With use_authtok it asks no
 * one, so there is one try.
 */
static int ask_new(pam_handle_t *pamh, unsigned flags,
		   const struct options *o, const char *old, const char **new)
{
	int tries = o->use_authtok || o->use_first_pass ? 1 : FAILURE_MAX_TRIES;
	const struct hello *hello = ask_hello(pamh);
	const uint32_t minlen = o->minlen || !hello ? o->minlen : hello->minlen;
	const uint32_t maxlen = hello && hello->maxlen ? hello->maxlen :
		LYRA2_MAX_PASSWORD;

	while (tries-- > 0) {
		int code = pam_get_authtok(pamh, PAM_AUTHTOK, new, NULL);
		const char *why;

		if (code != PAM_SUCCESS)
			return code;
		why = objection(old, *new, flags, minlen, maxlen);
		if (!why)
			return PAM_SUCCESS;
		phases_tell(pamh, flags, PAM_ERROR_MSG, why);
		pam_set_item(pamh, PAM_AUTHTOK, NULL);
	}
	say(pamh, LOG_NOTICE, "new password not acceptable");
	return PAM_AUTHTOK_ERR;
}

static int store(pam_handle_t *pamh, unsigned flags, const struct options *o,
		 const char *user, const char *old, const char *new)
{
	struct request req = {
		.op = OP_SET, .flags = FLAG_NULLOK | aging_flags(flags)
	};
	struct secret secret = { "", "" };
	int code;

	if (old || !by_root(flags))
		req.flags |= FLAG_CHECK_OLD;
	request_text(req.user, sizeof(req.user), user);
	request_text(secret.password, sizeof(secret.password), old ? old : "");
	request_text(secret.new_password, sizeof(secret.new_password), new);
	code = of_the_files(ask_service(pamh, o, &req, &secret));
	return code == PAM_CRED_UNAVAIL ? PAM_AUTHTOK_ERR : code;
}

static int update(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user)
{
	struct status status;
	const void *old;
	const char *new;
	const int found = look_up(pamh, flags, o, user, &status);
	int code;

	if (found != PAM_SUCCESS && found != PAM_IGNORE)
		return found;
	code = pam_get_item(pamh, PAM_OLDAUTHTOK, &old);
	if (code != PAM_SUCCESS) {
		say(pamh, LOG_NOTICE, "user not authenticated");
		return code;
	}
	code = ask_new(pamh, flags, o, old, &new);
	if (code != PAM_SUCCESS)
		return code;
	if (found == PAM_IGNORE)	/* for pam_unix(8) with use_authtok */
		return found;
	return store(pamh, flags, o, user, old, new);
}

/*
 * If a stack with pam_unix(8) ends in pam_deny(8), programs see the code of
 * pam_deny, and have a message for it.  System errors keep their own code.
 */
static int code_of_stack(int code)
{
	switch (code) {
	case PAM_AUTH_ERR:
	case PAM_MAXTRIES:
	case PAM_TRY_AGAIN:
	case PAM_ACCT_EXPIRED:
	case PAM_AUTHTOK_EXPIRED:
		return PAM_AUTHTOK_ERR;
	default:
		return code;
	}
}

int password_change(pam_handle_t *pamh, unsigned flags,
		    const struct options *o, const char *user)
{
	int code;

	if (flags & PAM_PRELIM_CHECK) {
		code = prelim(pamh, flags, o, user);
	} else if (flags & PAM_UPDATE_AUTHTOK) {
		code = update(pamh, flags, o, user);
	} else {
		say(pamh, LOG_CRIT, "password received unknown request");
		code = PAM_ABORT;
	}
	return o->before_unix ? code_of_stack(code) : code;
}
