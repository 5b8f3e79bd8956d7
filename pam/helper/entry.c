/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks one user up in the system's databases. */
#include "entry.h"

#include <errno.h>
#include <pwd.h>
#include <security/_pam_types.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>

#include "pam/passwd.h"

/* Of one passwd or shadow record. */
#define RECORD_FIRST 4096
#define RECORD_MAX (16 << 20)

static int take_hash(struct entry *e, const char *hash)
{
	size_t len = strlen(hash);

	if (len >= sizeof(e->hash))
		return PAM_AUTHINFO_UNAVAIL;
	memcpy(e->hash, hash, len + 1);
	stored_read(&e->stored, e->hash);
	return PAM_SUCCESS;
}

/* A buffer for one record, which holds hashes. */
struct record {
	char *buf;
	size_t size;
};

static void free_record(struct record *r)
{
	if (r->buf)
		explicit_bzero(r->buf, r->size);
	free(r->buf);
	r->buf = NULL;
}

/* Doubles the size, or sets the first one. */
static int grow_record(struct record *r)
{
	size_t size = r->size ? 2 * r->size : RECORD_FIRST;

	free_record(r);
	if (size > RECORD_MAX)
		return -1;
	r->buf = malloc(size);
	r->size = size;
	return r->buf ? 0 : -1;
}

static int find_shadow(const char *name, struct entry *e, struct record *r)
{
	struct spwd sp, *found = NULL;

	e->shadowed = true;
	/* The line that is too long may be another user's. */
	while (getspnam_r(name, &sp, r->buf, r->size, &found) == ERANGE)
		if (grow_record(r) < 0)
			return PAM_AUTHINFO_UNAVAIL;
	if (!found || !found->sp_pwdp)
		return PAM_AUTHINFO_UNAVAIL;
	e->aging.lstchg = found->sp_lstchg;
	e->aging.min = found->sp_min;
	e->aging.max = found->sp_max;
	e->aging.warn = found->sp_warn;
	e->aging.inact = found->sp_inact;
	e->aging.expire = found->sp_expire;
	return take_hash(e, found->sp_pwdp);
}

static int find(const char *name, struct entry *e, struct record *r)
{
	struct passwd pw, *found = NULL;
	int rc;

	do {
		if (grow_record(r) < 0)
			return PAM_AUTHINFO_UNAVAIL;
		rc = getpwnam_r(name, &pw, r->buf, r->size, &found);
	} while (rc == ERANGE);
	if (rc != 0 && rc != ENOENT && rc != ESRCH)
		return PAM_AUTHINFO_UNAVAIL;
	if (!found)
		return PAM_USER_UNKNOWN;
	e->uid = found->pw_uid;
	if (passwd_shadowed(name, found->pw_passwd))
		return find_shadow(name, e, r);
	return take_hash(e, found->pw_passwd);
}

int entry_find(const char *name, struct entry *e)
{
	struct record r = { NULL, 0 };
	int code;

	memset(e, 0, sizeof(*e));
	e->aging = (struct aging){ -1, -1, -1, -1, -1, -1 };
	if (!passwd_name(name))
		return PAM_USER_UNKNOWN;
	code = find(name, e, &r);
	free_record(&r);
	return code;
}
