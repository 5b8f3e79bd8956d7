/* SPDX-License-Identifier: BSD-2-Clause */
/* renew.h - new hashes: for a rehash, and for a new password. */
#ifndef PAM_LYRA2_RENEW_H
#define PAM_LYRA2_RENEW_H

#include "serve.h"

/*
 * After a login: brings the hash to the configured parameters if it was made
 * otherwise and nothing speaks against it.  Only logs.
 */
void renew_after_login(const struct request *req, struct subject *s);

/*
 * OP_SET: verifies what has to be verified, then replaces the hash.  A PAM
 * return code.
 */
int renew_set(const struct request *req, struct subject *s);

/*
 * Whether root's hash may be one of Lyra2.  sulogin(8), the last way into a
 * broken machine, reads it through crypt(3) and not through PAM.
 */
int renew_root_allowed(const struct policy *policy);

#endif
