/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the dates of accounts for the programs of ask_for_others in
 * pam_lyra2.conf(5).  In these, pam_unix(8) cannot read /etc/shadow.  In other
 * programs, pam_unix(8) comes next.  For a user's own account it has
 * unix_chkpwd(8), and says when the password will expire.
 */
#include "phases.h"

#include <fcntl.h>
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <syslog.h>
#include <unistd.h>

#include "say.h"
#include "src/config/paths.h"

static bool is_own(pam_handle_t *pamh, const char *user)
{
	const struct passwd *pw = pam_modutil_getpwnam(pamh, user);

	return pw && pw->pw_uid == getuid();
}

static bool unix_can_read(pam_handle_t *pamh, const char *user)
{
	return geteuid() == 0 ||
		faccessat(AT_FDCWD, PATH_SHADOW, R_OK, AT_EACCESS) == 0 ||
		is_own(pamh, user);
}

static int refuse(pam_handle_t *pamh, unsigned flags, const char *user,
		  int code)
{
	say(pamh, LOG_NOTICE, "account %s has expired", user);
	phases_tell(pamh, flags, PAM_ERROR_MSG, _("Your account has expired; "
		    "please contact your system administrator."));
	return code;
}

/* If the password has expired and may be changed, the user has to change it. */
int account_check(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user)
{
	struct status any, expired;

	if (unix_can_read(pamh, user) ||
	    phases_status(pamh, o, 0, user, &any) != PAM_SUCCESS ||
	    any.found != PAM_SUCCESS)
		return PAM_IGNORE;
	if (any.change == PAM_ACCT_EXPIRED || any.change == PAM_AUTHTOK_EXPIRED)
		return refuse(pamh, flags, user, any.change);
	if (phases_status(pamh, o, FLAG_EXPIRED, user, &expired) !=
	    PAM_SUCCESS || expired.found != PAM_SUCCESS)
		return PAM_IGNORE;
	return expired.change == PAM_SUCCESS ? PAM_NEW_AUTHTOK_REQD :
		PAM_SUCCESS;
}
