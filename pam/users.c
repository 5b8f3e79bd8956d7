/* SPDX-License-Identifier: BSD-2-Clause */
/* users.c - what the system's databases say of one user. */
#include "users.h"

#include <pwd.h>
#include <security/_pam_types.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

#define RECORD_BYTES (1 << 16)	/* of one passwd or shadow record */

static int take_hash(struct entry *e, const char *hash)
{
	size_t len = strlen(hash);

	if (len >= sizeof(e->hash))
		return PAM_AUTHINFO_UNAVAIL;
	memcpy(e->hash, hash, len + 1);
	return PAM_SUCCESS;
}

static int find_shadow(const char *name, struct entry *e, char *buf)
{
	struct spwd sp, *found;

	e->shadowed = 1;
	if (getspnam_r(name, &sp, buf, RECORD_BYTES, &found) || !found ||
	    !found->sp_pwdp)
		return PAM_AUTHINFO_UNAVAIL;
	e->aging.lstchg = found->sp_lstchg;
	e->aging.min = found->sp_min;
	e->aging.max = found->sp_max;
	e->aging.warn = found->sp_warn;
	e->aging.inact = found->sp_inact;
	e->aging.expire = found->sp_expire;
	return take_hash(e, found->sp_pwdp);
}

int users_find(const char *name, struct entry *e)
{
	struct passwd pw, *found;
	char *buf;
	int code = PAM_USER_UNKNOWN;

	memset(e, 0, sizeof(*e));
	e->aging = (struct aging){ -1, -1, -1, -1, -1, -1 };
	if (!local_name(name))
		return code;
	buf = malloc(RECORD_BYTES);
	if (!buf)
		return PAM_BUF_ERR;
	if (getpwnam_r(name, &pw, buf, RECORD_BYTES, &found) || !found)
		goto out;
	e->uid = found->pw_uid;
	if (local_shadowed(name, found->pw_passwd))
		code = find_shadow(name, e, buf);
	else
		code = take_hash(e, found->pw_passwd);
out:
	explicit_bzero(buf, RECORD_BYTES);
	free(buf);
	return code;
}
