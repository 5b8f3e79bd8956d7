/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks one user up in /etc/passwd and /etc/shadow. */
#include "entry.h"

#include <errno.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <string.h>

#include "passwd.h"
#include "src/config/paths.h"

int entry_read(const struct lines *l, const struct piece *line,
	       struct entry *e)
{
	struct shadow_line s;
	const char *why = shadow_read(l, line, &s);
	int code = why && !l->odd ? PAM_IGNORE : PAM_AUTHINFO_UNAVAIL;

	e->hash[0] = '\0';
	e->damage = NULL;
	if (!why && lines_copy(&s.hash, e->hash, sizeof(e->hash)) < 0)
		why = "the hash is too long";
	stored_read(&e->stored, e->hash);
	if (why) {
		lines_reason(l, why, e->reason);
		e->damage = e->reason;
		return code;
	}
	e->aging = s.aging;
	return PAM_SUCCESS;
}

static int cannot_read(struct entry *e, const char *path)
{
	snprintf(e->reason, sizeof(e->reason), "cannot read %s: %s", path,
		 strerror(errno));
	e->damage = e->reason;
	return PAM_AUTHINFO_UNAVAIL;
}

static int find_shadow(const char *name, struct entry *e)
{
	int code = PAM_IGNORE;
	struct piece line;
	struct lines l;

	if (lines_open(&l, PATH_SHADOW) < 0)
		return cannot_read(e, PATH_SHADOW);
	while (code == PAM_IGNORE && lines_find(&l, name, &line))
		code = entry_read(&l, &line, e);
	if (lines_close(&l) < 0)
		return cannot_read(e, PATH_SHADOW);
	return code == PAM_IGNORE ? PAM_AUTHINFO_UNAVAIL : code;
}

static int find(const char *name, struct entry *e)
{
	struct passwd_user user;

	e->passwd = passwd_find(name, &user);
	e->uid = user.uid;
	e->gid = user.gid;
	switch (e->passwd) {
	case PAM_SUCCESS:
		return find_shadow(name, e);
	case PAM_USER_UNKNOWN:
		memcpy(e->reason, user.odd, sizeof(e->reason));
		if (user.odd[0] != '\0')
			e->damage = e->reason;
		return PAM_USER_UNKNOWN;
	case PAM_IGNORE:
		return PAM_USER_UNKNOWN;
	default:
		return cannot_read(e, PATH_PASSWD);
	}
}

int entry_find(const char *name, struct entry *e)
{
	int code;

	memset(e, 0, sizeof(*e));
	code = find(name, e);
	if (code != PAM_SUCCESS) {
		explicit_bzero(e->hash, sizeof(e->hash));
		stored_read(&e->stored, "");
	}
	return code;
}

struct account entry_account(const struct entry *e, const char *name,
			     const struct group *g, long today)
{
	const int code = aging_check(&e->aging, today);

	return (struct account){
		.root = e->uid == 0,
		.outside = group_lacks(g, name, e->gid),
		/* By date, or since nobody has changed the password in time */
		.expired = code == PAM_ACCT_EXPIRED ||
			code == PAM_AUTHTOK_EXPIRED
	};
}
