/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module's side of an exchange with lyra2d.
 *
 * Hashes and matrices exist only in lyra2d, so the application's memory,
 * limits, signals and threads do not matter.  One connection serves all
 * requests of one authentication.  It stays with the PAM handle.  When the
 * application sets credentials, or ends the handle after a success, the module
 * sends TELL_FREE.  A connection that ends without it means "not let in".
 */
#ifndef PAM_LYRA2_ASK_H
#define PAM_LYRA2_ASK_H

#include <security/pam_modules.h>

#include "pam/protocol/request.h"
#include "src/config/options.h"

/*
 * Sends a request, and the secret unless that is NULL.  Wipes the secret.
 * Returns the result.  PAM_CRED_UNAVAIL: the service gave no result, and the
 * next module must not hash instead.  PAM_AUTHINFO_UNAVAIL: there is no service
 * for this process.
 */
int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret);

/*
 * Returns the rules for new passwords, as the service's files have them, or
 * NULL.
 */
const struct hello *ask_hello(pam_handle_t *pamh);

/*
 * Tells lyra2d that all modules have let the user in, and ends the connection.
 */
void ask_free(pam_handle_t *pamh);

#endif
