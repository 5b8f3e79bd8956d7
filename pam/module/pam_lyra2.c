/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entry points of the module.  pam_unix(8) does sessions and, but for
 * account.c, accounts.
 *
 * Return codes, messages and log lines are those of pam_unix(8), so that
 * programs that read them work with either module.
 */
/* libpam looks up these functions; everything else is hidden. */
#pragma GCC visibility push(default)
#include <security/pam_modules.h>
#pragma GCC visibility pop
#include <security/pam_ext.h>
#include <syslog.h>

#include "link.h"
#include "phases.h"
#include "say.h"

static void complain(void *pamh, const char *text)
{
	say(pamh, LOG_ERR, "%s", text);
}

/*
 * NIS gave a meaning to names that begin with + or -, and libraries have had
 * bugs with them.
 */
static int get_user(pam_handle_t *pamh, const struct options *o,
		    const char **user)
{
	int code = pam_get_user(pamh, user, NULL);

	if (code == PAM_CONV_AGAIN)	/* the application calls once more */
		return PAM_INCOMPLETE;
	if (code == PAM_SUCCESS && ((*user)[0] == '-' || (*user)[0] == '+')) {
		say(pamh, LOG_NOTICE, "bad username [%s]", *user);
		return PAM_USER_UNKNOWN;
	}
	if (o->debug && code == PAM_SUCCESS)
		say(pamh, LOG_DEBUG, "username [%s] obtained", *user);
	if (o->debug && code != PAM_SUCCESS)
		say(pamh, LOG_DEBUG, "could not obtain username");
	return code;
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc,
			const char **argv)
{
	struct options o;
	const char *user;
	int code;

	options_read_words(&o, argc, argv, complain, pamh);
	code = get_user(pamh, &o, &user);
	if (code != PAM_SUCCESS)
		return code;
	code = auth_user(pamh, (unsigned)flags, &o, user);
	link_rest(pamh);
	return code;
}

/* All modules have let the user in: see pam/protocol/request.h. */
int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	if (!((unsigned)flags & PAM_DELETE_CRED))
		link_admit(pamh);
	return auth_failed(pamh) ? PAM_IGNORE : PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc,
		     const char **argv)
{
	struct options o;
	const char *user;
	int code;

	options_read_words(&o, argc, argv, complain, pamh);
	code = get_user(pamh, &o, &user);
	if (code != PAM_SUCCESS)
		return code;
	code = account_check(pamh, (unsigned)flags, &o, user);
	link_rest(pamh);
	return code;
}

int pam_sm_chauthtok(pam_handle_t *pamh, int flags, int argc,
		     const char **argv)
{
	struct options o;
	const char *user;
	int code;

	options_read_words(&o, argc, argv, complain, pamh);
	o.nullok = true;	/* an empty password can be changed */
	code = get_user(pamh, &o, &user);
	if (code != PAM_SUCCESS)
		return code;
	/* Account modules have let the user in, but for a new password. */
	if ((unsigned)flags & PAM_CHANGE_EXPIRED_AUTHTOK)
		link_admit(pamh);
	code = password_change(pamh, (unsigned)flags, &o, user);
	link_rest(pamh);
	return code;
}
