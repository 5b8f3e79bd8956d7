/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of /etc/subuid. */
#include "subuid.h"

#include <security/_pam_types.h>
#include <stdint.h>

#include "passwd.h"
#include "src/config/paths.h"

/*
 * Returns true if the range of a line contains the ID.  Fields: owner, first
 * ID, number of IDs.
 */
static bool gives(const struct lines *l, const struct piece *line, uid_t uid)
{
	struct piece rest = *line, first, count;
	uint32_t from, n;

	(void)lines_take_field(&rest);
	first = lines_take_field(&rest);
	count = lines_take_field(&rest);
	return !l->odd && lines_number(&first, &from) == 0 &&
		lines_number(&count, &n) == 0 && uid >= from && uid - from < n;
}

/* An owner is a name or a number. */
static bool read_owner(const struct piece *line, uid_t *owner)
{
	char name[PASSWD_NAME_MAX + 1];
	struct passwd_user user;
	struct piece rest = *line, field = lines_take_field(&rest);
	uint32_t id;
	int code;

	if (lines_copy(&field, name, sizeof(name)) < 0)
		return false;
	code = passwd_find(name, &user);
	if (code == PAM_SUCCESS || code == PAM_IGNORE)
		id = user.uid;
	else if (lines_number(&field, &id) < 0)
		return false;
	*owner = id;
	return true;
}

bool subuid_owner(uid_t uid, uid_t *owner)
{
	struct lines l;
	struct piece line;
	bool found = false;

	if (lines_open(&l, PATH_SUBUID) < 0)
		return false;
	while (!found && lines_next(&l, &line))
		found = gives(&l, &line, uid) && read_owner(&line, owner);
	return lines_close(&l) == 0 && found;
}
