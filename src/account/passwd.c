/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of /etc/passwd. */
#include "passwd.h"

#include <security/_pam_types.h>
#include <string.h>

#include "src/config/paths.h"

bool passwd_is_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= PASSWD_NAME_MAX && !strpbrk(name, ":\n") &&
		!strchr("+-#", name[0]);
}

/* The marks for "see shadow" that pam_unix(8) knows. */
static bool is_shadowed(const struct passwd_line *p)
{
	const struct piece *mark = &p->hash, *name = &p->name;

	return lines_same(mark, "x") || lines_same(mark, "*NP*") ||
		(mark->len == name->len + 2 && memcmp(mark->at, "##", 2) == 0 &&
		 memcmp(mark->at + 2, name->at, name->len) == 0);
}

const char *passwd_read(const struct lines *l, const struct piece *line,
			struct passwd_line *p)
{
	struct piece rest = *line, uid, gid;

	memset(p, 0, sizeof(*p));
	p->name = lines_take_field(&rest);
	p->hash = lines_take_field(&rest);
	uid = lines_take_field(&rest);
	gid = lines_take_field(&rest);
	if (l->odd)
		return l->odd;
	if (p->name.len == 0 || lines_number(&uid, &p->uid) < 0 ||
	    lines_number(&gid, &p->gid) < 0)
		return "the C library ignores the line: the user ID or the "
			"group ID is no number";
	p->shadowed = is_shadowed(p);
	return NULL;
}

static int look(struct lines *l, const char *name, struct passwd_user *user)
{
	struct passwd_line p;
	struct piece line;
	const char *why;

	while (lines_find(l, name, &line)) {
		why = passwd_read(l, &line, &p);
		if (!why) {
			*user = (struct passwd_user){ p.uid, p.gid, "" };
			return p.shadowed ? PAM_SUCCESS : PAM_IGNORE;
		}
		lines_reason(l, why, user->odd);
		if (l->odd)
			break;
	}
	return PAM_USER_UNKNOWN;
}

int passwd_find(const char *name, struct passwd_user *user)
{
	struct lines l;
	int code;

	memset(user, 0, sizeof(*user));
	if (!passwd_is_name(name))
		return PAM_USER_UNKNOWN;
	if (lines_open(&l, PATH_PASSWD) < 0)
		return PAM_SYSTEM_ERR;
	code = look(&l, name, user);
	return lines_close(&l) < 0 ? PAM_SYSTEM_ERR : code;
}

bool passwd_is_of(const char *name, uid_t uid)
{
	struct passwd_user user;
	const int code = passwd_find(name, &user);

	return (code == PAM_SUCCESS || code == PAM_IGNORE) && user.uid == uid;
}
