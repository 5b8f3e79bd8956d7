/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: upgrades the stored hash to the configuration. */
#ifndef PAM_LYRA2_REHASH_H
#define PAM_LYRA2_REHASH_H

#include "answer.h"

/* Returns whether the stored hash is weaker than what is configured. */
bool rehash_due(const struct request *req, const struct subject *s);

/*
 * After a login, if that is so: replaces the hash if nothing forbids it.
 * Errors are only logged.
 */
void rehash_after_login(const struct request *req, struct subject *s);

#endif
