/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: rehashes the password as configured. */
#ifndef PAM_LYRA2_REHASH_H
#define PAM_LYRA2_REHASH_H

#include "job.h"

/* Whether the hash is to be replaced; if not, the log says why. */
bool rehash_wanted(const struct job *job);

/* Replaces it.  An error is a line in the log, and fails no login. */
void rehash_after_login(struct job *job);

#endif
