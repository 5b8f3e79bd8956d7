/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: rehashes the password as configured. */
#ifndef PAM_LYRA2_REHASH_H
#define PAM_LYRA2_REHASH_H

#include "answer.h"

/*
 * After a login, if policy_rehashes(): replaces the hash, unless there is a
 * reason to keep it.  Errors are only logged.
 */
void rehash_after_login(const struct request *req, struct subject *s);

#endif
