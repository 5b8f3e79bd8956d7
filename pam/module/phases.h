/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the entry points of the module do once the user is known.
 *
 * Functions that return an int return a PAM return code.  flags are those of
 * the entry point, options those of the module line and the configuration.
 */
#ifndef PAM_LYRA2_PHASES_H
#define PAM_LYRA2_PHASES_H

#include <libintl.h>
#include <security/pam_modules.h>
#include <stdbool.h>

#include "pam/protocol/request.h"
#include "src/config/options.h"

/*
 * Messages to the user are word for word those of pam_unix(8), so that
 * Linux-PAM's translations apply.
 */
#define PHASES_DOMAIN "Linux-PAM"
#define _(text) dgettext(PHASES_DOMAIN, text)

/* Asks for the user's password and verifies it. */
int auth_user(pam_handle_t *pamh, unsigned flags, const struct options *o,
	      const char *user);

/* Returns true if auth_user() has failed on this handle. */
bool auth_failed(pam_handle_t *pamh);

/*
 * Checks the dates of the account.  Returns PAM_IGNORE if they are not known.
 */
int account_check(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user);

/* The two calls of pam_sm_chauthtok(3): verify the old password, set a new. */
int password_change(pam_handle_t *pamh, unsigned flags,
		    const struct options *o, const char *user);

/*
 * Asks what can be known without a password.  Sets *status if it returns
 * PAM_SUCCESS.  flags are of enum request_flag.
 */
int phases_status(pam_handle_t *pamh, const struct options *o,
		  uint32_t flags, const char *user, struct status *status);

/*
 * Has a password verified.  A wrong one is logged and counted here, and asks
 * for a delay, as with pam_unix(8), or there if it is asked next, which
 * before_unix says.  flags are of enum request_flag.
 */
int phases_verify(pam_handle_t *pamh, const struct options *o,
		  uint32_t flags, const char *user, const char *password,
		  bool unix_next);

/*
 * Shows the user a text, style being PAM_ERROR_MSG or PAM_TEXT_INFO, unless
 * the application asked for silence.
 */
void phases_tell(pam_handle_t *pamh, unsigned flags, int style,
		 const char *text);

#endif
