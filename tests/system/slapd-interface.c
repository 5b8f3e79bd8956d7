/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compiles only if slapd.h declares what slapd's own source does: two
 * declarations of a function that differ are an error.  lutil.h needs others
 * before it: -include netinet/in.h.
 */
#include <lutil.h>

#include "crypt/openldap/slapd.h"

_Static_assert((int)SLAPD_OK == LUTIL_PASSWD_OK, "SLAPD_OK");
_Static_assert((int)SLAPD_ERR == LUTIL_PASSWD_ERR, "SLAPD_ERR");

extern slapd_check_fn check;
extern LUTIL_PASSWD_CHK_FUNC check;
extern slapd_hash_fn hash;
extern LUTIL_PASSWD_HASH_FUNC hash;
