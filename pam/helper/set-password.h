/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets a new password, once the old one is verified. */
#ifndef PAM_LYRA2_SET_PASSWORD_H
#define PAM_LYRA2_SET_PASSWORD_H

#include "answer.h"

/*
 * OP_SET: verifies the old password if required, then replaces the hash.
 * Returns a PAM return code.
 */
int set_password(const struct request *req, struct subject *s);

#endif
