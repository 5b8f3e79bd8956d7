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

#include "src/stored/options.h"

/* How many times a user may try, as with pam_unix(8). */
enum { PHASES_MAX_TRIES = 3 };

/*
 * Messages to the user are word for word those of pam_unix(8), so that
 * Linux-PAM's translations apply.
 */
#define PHASES_DOMAIN "Linux-PAM"
#define _(text) dgettext(PHASES_DOMAIN, text)

/* Asks for the user's password and verifies it. */
int auth_user(pam_handle_t *pamh, unsigned flags, const struct options *o,
	      const char *user);

/*
 * Whether that was PAM_SUCCESS on this handle, for the option no_pass_expiry.
 * pam_unix(8) stores the result in the same place.
 */
bool auth_succeeded(pam_handle_t *pamh);

/* Says whether the account may be used, and warns the user. */
int account_check(pam_handle_t *pamh, unsigned flags, const struct options *o,
		  const char *user);

/* The two calls of pam_sm_chauthtok(3): verify the old password, set a new. */
int password_change(pam_handle_t *pamh, unsigned flags,
		    const struct options *o, const char *user);

/* Log the session. */
int session_open(pam_handle_t *pamh, const struct options *o);
int session_close(pam_handle_t *pamh, const struct options *o);

/* What the application has said of itself or of its user; "" if nothing. */
const char *phases_item(const pam_handle_t *pamh, int type);

/* Whether the stored password of user is empty. */
bool phases_is_blank(pam_handle_t *pamh, const struct options *o,
		     const char *user);

/* Lets a helper verify a password that pam_unix(8) tries after a failure. */
int phases_verify_first(pam_handle_t *pamh, const struct options *o,
			const char *user, const char *password);

/* The same, but a failure is logged here and followed by a delay. */
int phases_verify_last(pam_handle_t *pamh, const struct options *o,
		  const char *user, const char *password);

/*
 * Shows the user a text, style being PAM_ERROR_MSG or PAM_TEXT_INFO, unless
 * the application asked for silence.
 */
void phases_tell(pam_handle_t *pamh, unsigned flags, int style,
		 const char *text);

#endif
