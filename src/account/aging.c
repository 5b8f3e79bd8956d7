/* SPDX-License-Identifier: BSD-2-Clause */
/* Aging and expiry, in the order in which pam_unix(8) looks. */
#include "aging.h"

#include <security/_pam_types.h>

/*
 * Linux-PAM before 1.6 lets a password live a day longer, and takes each number
 * but -1.  Its headers tell which one this is built for, but for those of 1.6:
 * they are as before.
 */
static const bool old = __LINUX_PAM_MINOR__ < 6;

static bool is_set(int32_t days)
{
	return old ? days != -1 : days >= 0;
}

static bool is_over(int64_t age, int64_t days)
{
	return old ? age > days : age >= days;
}

/* A long of 32 bits could not hold each sum of two fields, nor each age. */
static int check_age(const struct aging *a, int64_t age)
{
	if (is_set(a->max) && is_set(a->inact) && is_over(age, a->max) &&
	    is_over(age, a->inact) && is_over(age, (int64_t)a->max + a->inact))
		return PAM_AUTHTOK_EXPIRED;
	if (is_set(a->max) && is_over(age, a->max))
		return PAM_NEW_AUTHTOK_REQD;
	if (a->min > 0 && age < a->min)
		return PAM_AUTHTOK_ERR;
	return PAM_SUCCESS;
}

int aging_check(const struct aging *a, long today)
{
	if (is_set(a->expire) && today >= a->expire)
		return PAM_ACCT_EXPIRED;
	if (a->lstchg == 0)	/* root requires a new one */
		return PAM_NEW_AUTHTOK_REQD;
	/* Before 1.6, an unknown day is an old one. */
	if ((a->lstchg < 0 && !old) || today < a->lstchg)
		return PAM_SUCCESS;
	return check_age(a, (int64_t)today - a->lstchg);
}

int aging_change(int code, bool by_root)
{
	if (code == PAM_USER_UNKNOWN)
		return code;
	if (by_root || code == PAM_NEW_AUTHTOK_REQD)
		return PAM_SUCCESS;
	return code;
}
