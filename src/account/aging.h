/* SPDX-License-Identifier: BSD-2-Clause */
/* Aging and expiry, from the numbers of shadow(5). */
#ifndef PAM_LYRA2_AGING_H
#define PAM_LYRA2_AGING_H

#include <stdbool.h>
#include <stdint.h>

struct aging {		/* days; -1 where the field is empty */
	int32_t lstchg, min, max, inact, expire;
};

/*
 * Returns what pam_unix(8) returns for an account on a day: PAM_SUCCESS,
 * PAM_ACCT_EXPIRED, PAM_AUTHTOK_EXPIRED, PAM_NEW_AUTHTOK_REQD, or
 * PAM_AUTHTOK_ERR while the password is too young to be changed.
 */
int aging_check(const struct aging *a, long today);

/*
 * Returns PAM_SUCCESS if a password may be changed, given the code of
 * aging_check(); else a PAM return code.  Aging does not bind root.
 */
int aging_change(int code, bool by_root);

#endif
