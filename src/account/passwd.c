/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of /etc/passwd. */
#include "passwd.h"

#include <security/_pam_types.h>
#include <string.h>

#include "places.h"
#include "src/config/paths.h"

bool passwd_is_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= PASSWD_NAME_MAX && !strpbrk(name, ":\n") &&
		name[0] != '+' && name[0] != '-';
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
	const char *odd = lines_odd(l, line);
	const struct piece text = lines_text(line);
	struct piece uid, gid;

	memset(p, 0, sizeof(*p));
	lines_field(&text, 0, &p->name);
	if (p->name.len == 0 || p->name.len == text.len || text.at[0] == '#') {
		p->name.len = 0;
		return "the line has no user";
	}
	if (odd)
		return odd;
	if (lines_field(&text, 1, &p->hash) < 0 ||
	    lines_field(&text, 2, &uid) < 0 || lines_field(&text, 3, &gid) < 0)
		return "the line has fewer than four fields";
	if (lines_id(&uid, &p->uid) < 0)
		return "the user ID is not a number";
	if (lines_id(&gid, &p->gid) < 0)
		return "the group ID is not a number";
	p->shadowed = is_shadowed(p);
	return NULL;
}

static int look(struct lines *l, const char *name, struct passwd_user *user)
{
	struct passwd_line p;
	struct piece line;
	const char *odd;

	if (!places_find(l, name, BLANKS_IGNORED, &line))
		return PAM_USER_UNKNOWN;
	odd = passwd_read(l, &line, &p);
	if (odd) {
		lines_reason(l, odd, user->odd);
		return PAM_USER_UNKNOWN;
	}
	user->uid = p.uid;
	user->gid = p.gid;
	return p.shadowed ? PAM_SUCCESS : PAM_IGNORE;
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
