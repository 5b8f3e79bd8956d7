/* SPDX-License-Identifier: BSD-2-Clause */
/* After a login: rehashes the password as configured. */
#ifndef PAM_LYRA2_REHASH_H
#define PAM_LYRA2_REHASH_H

#include "job.h"

/* Returns true if the hash is to be replaced.  If not, logs why. */
bool rehash_wanted(const struct job *job);

/* Replaces the hash.  An error is logged, and fails no login. */
void rehash_after_login(struct job *job);

#endif
