/* SPDX-License-Identifier: BSD-2-Clause */
/* Authentication: asks for the password and has it verified. */
#include "phases.h"

#include <security/pam_ext.h>
#include <stdlib.h>
#include <syslog.h>

#include "say.h"

/*
 * Where pam_unix(8) keeps the result of authentication: its account phase reads
 * it for the option no_pass_expiry.
 */
#define RESULT "unix_setcred_return"

/*
 * Users without a password are not asked for one: pam_unix(8) decides about
 * them, by its own options, if it comes next.
 */
static int without_password(pam_handle_t *pamh, const struct options *o,
			    const char *user)
{
	if (o->before_unix)
		return PAM_IGNORE;
	say(pamh, LOG_DEBUG, "user [%s] has blank password; "
	    "authenticated without it", user);
	return PAM_SUCCESS;
}

static bool is_blank(pam_handle_t *pamh, const struct options *o,
		     const char *user)
{
	struct status status;

	return phases_status(pamh, o, 0, user, &status) == PAM_SUCCESS &&
		status.blank;
}

static int ask_and_verify(pam_handle_t *pamh, const struct options *o,
			  const char *user)
{
	const char *password;
	int code;

	if ((o->before_unix || o->nullok) && is_blank(pamh, o, user))
		return without_password(pamh, o, user);
	code = pam_get_authtok(pamh, PAM_AUTHTOK, &password, NULL);
	if (code == PAM_CONV_AGAIN)
		return PAM_INCOMPLETE;
	if (code == PAM_SUCCESS)
		return phases_verify(pamh, o, 0, user, password, true);
	say(pamh, LOG_CRIT, "auth could not identify password for [%s]", user);
	return code;
}

static void forget(pam_handle_t *pamh, void *data, int status)
{
	(void)pamh;
	(void)status;
	free(data);
}

/*
 * Without memory it stores NULL, so that the last call's result does not stay.
 */
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

bool auth_failed(pam_handle_t *pamh)
{
	const void *result;

	return pam_get_data(pamh, RESULT, &result) == PAM_SUCCESS &&
		result && *(const int *)result != PAM_SUCCESS;
}
