/* SPDX-License-Identifier: BSD-2-Clause */
/* Authentication: asks for the password and has it verified. */
#include "phases.h"

#include <security/pam_ext.h>
#include <stdlib.h>
#include <syslog.h>

#define RESULT "unix_setcred_return"	/* the name of pam_unix(8) */

/*
 * pam_unix(8) decides, by its own options, about users without a password.
 * They must not be asked for one before that.
 */
static bool left_to_unix(pam_handle_t *pamh, const struct options *o,
			 const char *user)
{
	return o->before_unix && phases_is_blank(pamh, o, user);
}

static int ask_and_verify(pam_handle_t *pamh, const struct options *o,
			  const char *user)
{
	const char *password;
	int code;

	if (left_to_unix(pamh, o, user))
		return PAM_IGNORE;
	if (!o->before_unix && o->nullok && phases_is_blank(pamh, o, user)) {
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
	/* pam_unix(8) logs failures, too, and asks for the same delay. */
	if (o->before_unix)
		return phases_verify_first(pamh, o, user, password);
	return phases_verify_last(pamh, o, user, password);
}

static void forget(pam_handle_t *pamh, void *data, int status)
{
	(void)pamh;
	(void)status;
	free(data);
}

/* Out of memory: the result of an earlier call must not remain. */
static void note_result(pam_handle_t *pamh, int code)
{
	int *result = malloc(sizeof(*result));

	if (result)
		*result = code;
	if (pam_set_data(pamh, RESULT, result, forget) != PAM_SUCCESS)
		free(result);
}

int auth_user(pam_handle_t *pamh, unsigned flags,
	      const struct options *options, const char *user)
{
	struct options o = *options;
	int code;

	if (flags & PAM_DISALLOW_NULL_AUTHTOK)
		o.nullok = false;
	code = ask_and_verify(pamh, &o, user);
	note_result(pamh, code);
	return code;
}

bool auth_succeeded(pam_handle_t *pamh)
{
	const void *result;

	return pam_get_data(pamh, RESULT, &result) == PAM_SUCCESS &&
		result && *(const int *)result == PAM_SUCCESS;
}
