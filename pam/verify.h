/* SPDX-License-Identifier: BSD-2-Clause */
/* verify.h - is this the password of that hash? */
#ifndef PAM_LYRA2_VERIFY_H
#define PAM_LYRA2_VERIFY_H

#include "policy.h"

/*
 * PAM_SUCCESS only if password has that hash; PAM_AUTH_ERR if not, and
 * PAM_AUTHINFO_UNAVAIL where it could not be found out.  Whatever the hash
 * is, even none that could ever match, one hash of the policy's cost or the
 * stored one's is computed: the time tells nobody which accounts exist.
 * *why says what is wrong with the hash, or is NULL.
 */
int verify_password(const char *hash, const char *password, int nullok,
		    const struct policy *policy, const char **why);

/* The work alone, for a user who is unknown. */
void verify_nobody(const char *password, const struct policy *policy);

#endif
