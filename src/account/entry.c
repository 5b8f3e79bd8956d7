/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks one user up in /etc/passwd and /etc/shadow. */
#include "entry.h"

#include <errno.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passwd.h"
#include "places.h"
#include "src/config/paths.h"

/* A number, LONG_MAX for a larger one, -1 if the field is empty. */
static int read_days(const struct piece *field, long *out)
{
	char text[24], *end;

	*out = -1;
	if (field->len == 0)
		return 0;
	if (lines_copy(field, text, sizeof(text)) < 0)
		return -1;
	*out = strtol(text, &end, 10);
	return *end == '\0' ? 0 : -1;
}

/* Returns NULL, or what is wrong. */
static const char *read_aging(const struct piece *line, struct aging *a)
{
	long *const days[] = {
		&a->lstchg, &a->min, &a->max, NULL, &a->inact, &a->expire
	};
	struct piece field;
	size_t i;

	for (i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
		if (lines_field(line, i + 2, &field) < 0)
			return "the line has fewer than eight fields";
		if (days[i] && read_days(&field, days[i]) < 0)
			return "a date is not a number";
	}
	return NULL;
}

int entry_read(const struct lines *l, const struct piece *line,
	       struct entry *e)
{
	const char *odd = lines_odd(l, line);
	struct piece hash = { "", 0 };

	(void)lines_field(line, 1, &hash);
	if (odd || lines_copy(&hash, e->hash, sizeof(e->hash)) < 0) {
		e->hash[0] = '\0';
		if (!odd)
			odd = "the hash is too long";
	}
	stored_read(&e->stored, e->hash);
	if (!odd)
		odd = read_aging(line, &e->aging);
	if (!odd)
		return PAM_SUCCESS;
	lines_reason(l, odd, e->reason);
	e->damage = e->reason;
	return PAM_AUTHINFO_UNAVAIL;
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
	int code = PAM_AUTHINFO_UNAVAIL;
	struct piece line;
	struct lines l;

	if (lines_open(&l, PATH_SHADOW) < 0)
		return cannot_read(e, PATH_SHADOW);
	if (places_find(&l, name, BLANKS_COUNT, &line))
		code = entry_read(&l, &line, e);
	return lines_close(&l) < 0 ? cannot_read(e, PATH_SHADOW) : code;
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
	return (struct account){
		.root = e->uid == 0,
		.outside = group_lacks(g, name, e->gid),
		.expired = aging_check(&e->aging, today) == PAM_ACCT_EXPIRED
	};
}
