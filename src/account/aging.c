/* SPDX-License-Identifier: BSD-2-Clause */
/* Aging and expiry, in the order in which pam_unix(8) looks. */
#include "aging.h"

#include <limits.h>
#include <security/_pam_types.h>

/* Fields may hold any number that a long can. */
static long add(long a, long b)
{
	return b > 0 && a > LONG_MAX - b ? LONG_MAX : a + b;
}

/* The age is known and not negative: nothing here can overflow. */
static int check_age(const struct aging *a, long age)
{
	if (a->max >= 0 && a->inact >= 0 && age >= add(a->max, a->inact))
		return PAM_AUTHTOK_EXPIRED;
	if (a->max >= 0 && age >= a->max)
		return PAM_NEW_AUTHTOK_REQD;
	if (a->min > 0 && age < a->min)
		return PAM_AUTHTOK_ERR;
	return PAM_SUCCESS;
}

int aging_check(const struct aging *a, long today)
{
	if (a->expire >= 0 && today >= a->expire)
		return PAM_ACCT_EXPIRED;
	if (a->lstchg == 0)	/* root requires a new one */
		return PAM_NEW_AUTHTOK_REQD;
	if (a->lstchg < 0 || today < a->lstchg)
		return PAM_SUCCESS;
	return check_age(a, today - a->lstchg);
}

int aging_change(int code, bool by_root, bool only_expired)
{
	if (code == PAM_USER_UNKNOWN)
		return code;
	if (only_expired)
		return code == PAM_NEW_AUTHTOK_REQD ? PAM_SUCCESS :
			PAM_AUTHTOK_ERR;
	if (by_root || code == PAM_NEW_AUTHTOK_REQD)
		return PAM_SUCCESS;
	return code;
}
