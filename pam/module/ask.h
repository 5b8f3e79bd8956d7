/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module's side of a conversation with lyra2d.
 *
 * Hashes and matrices exist only there, so the application's memory, limits,
 * signals and threads do not matter.  One connection serves all that one
 * authentication asks; it stays with the handle, and its end tells lyra2d that
 * the modules below have seen the verdict.
 */
#ifndef PAM_LYRA2_ASK_H
#define PAM_LYRA2_ASK_H

#include <security/pam_modules.h>

#include "pam/protocol/request.h"
#include "src/config/options.h"

/*
 * Asks about a user, and hands over the secret unless that is NULL; wipes it.
 * Returns the verdict.  PAM_CRED_UNAVAIL: the service gives none, and the next
 * module must not hash instead; PAM_AUTHINFO_UNAVAIL: there is no service for
 * this process.
 */
int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret);

/* What a new password must be, as the service's file says; or NULL. */
const struct hello *ask_hello(pam_handle_t *pamh);

/* All modules have let the user in: says so, and ends the connection. */
void ask_free(pam_handle_t *pamh);

#endif
