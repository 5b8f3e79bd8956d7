/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module's side of an exchange with lyra2d.
 *
 * Hashes and matrices exist only in lyra2d, so the application's memory,
 * limits, signals and threads do not matter.
 *
 * The module asks the public service.  Where there is none, or it is silent,
 * it starts a private one, lyra2d(8) with "--private", for this call.  From
 * then on the handle does not try the public one again.
 *
 * One connection serves all requests of one call.  At its end, link_rest() ends
 * the connection, but for one that has told of a correct password: the service
 * waits to hear that all modules have let the user in.
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
 * for this process, and a user cannot have caused that.
 */
int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret);

/*
 * Returns the rules for new passwords, as the service's files have them, or
 * NULL.
 */
const struct hello *ask_hello(pam_handle_t *pamh);

#endif
