/* SPDX-License-Identifier: BSD-2-Clause */
/* Authentication: asks for the password and has it verified. */
#include "phases.h"

#include <security/pam_ext.h>
#include <stdlib.h>
#include <syslog.h>

#define RESULT "unix_setcred_return"	/* the name of pam_unix(8) */
#define ABORTED "lyra2_aborted"

/* The conversation of an application whose user has answered no question. */
struct aborted {
	pam_handle_t *pamh;
	struct pam_conv conv;
};

/* The next question has the same answer; then all is as it was. */
static int abort_again(int n, const struct pam_message **msg,
		       struct pam_response **resp, void *arg)
{
	const struct aborted *a = arg;

	if (msg[0]->msg_style == PAM_TEXT_INFO ||
	    msg[0]->msg_style == PAM_ERROR_MSG)
		return a->conv.conv(n, msg, resp, a->conv.appdata_ptr);
	(void)pam_set_item(a->pamh, PAM_CONV, &a->conv);
	return PAM_CONV_ERR;
}

/* What the application may have set meanwhile stays. */
static void end_abort(pam_handle_t *pamh, void *data, int status)
{
	struct aborted *a = data;
	const void *now;

	(void)status;
	if (a && pam_get_item(pamh, PAM_CONV, &now) == PAM_SUCCESS && now &&
	    ((const struct pam_conv *)now)->appdata_ptr == a &&
	    pam_set_item(pamh, PAM_CONV, &a->conv) != PAM_SUCCESS)
		return;		/* it is still in use */
	free(a);
}

/*
 * pam_unix(8) comes next, and would ask the user again.  It is to see, log and
 * return what it would without this module.
 */
static void abort_next(pam_handle_t *pamh)
{
	struct aborted *a = malloc(sizeof(*a));
	struct pam_conv again = { abort_again, a };
	const void *conv;

	if (!a || pam_get_item(pamh, PAM_CONV, &conv) != PAM_SUCCESS || !conv) {
		free(a);
		return;
	}
	a->pamh = pamh;
	a->conv = *(const struct pam_conv *)conv;
	if (!a->conv.conv ||
	    pam_set_data(pamh, ABORTED, a, end_abort) != PAM_SUCCESS)
		free(a);
	else
		(void)pam_set_item(pamh, PAM_CONV, &again);
}

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
	if (code == PAM_AUTHTOK_ERR && o->before_unix) {
		abort_next(pamh);
		return code;
	}
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
	/* A stack may have ended before anything was asked again. */
	(void)pam_set_data(pamh, ABORTED, NULL, NULL);
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
