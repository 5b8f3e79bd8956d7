/* SPDX-License-Identifier: BSD-2-Clause */
/* account.h - aging and expiry, from the numbers of shadow(5). */
#ifndef PAM_LYRA2_ACCOUNT_H
#define PAM_LYRA2_ACCOUNT_H

struct aging {		/* days; -1 where the field is empty */
	long lstchg, min, max, warn, inact, expire;
};

/*
 * What pam_unix(8) says of an account on a day: PAM_SUCCESS, PAM_ACCT_EXPIRED,
 * PAM_AUTHTOK_EXPIRED, PAM_NEW_AUTHTOK_REQD, or PAM_AUTHTOK_ERR while the
 * password is too young to be changed.  *days is 0 where root wants a new
 * password, the days left while the user is to be warned, otherwise -1.
 */
int account_check(const struct aging *a, long today, long *days);

/*
 * Whether a password may be changed, after account_check() gave code; flags
 * are FLAG_ROOT and FLAG_EXPIRED_ONLY.  A PAM return code.
 */
int account_change(int code, unsigned flags);

#endif
