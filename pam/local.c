/* SPDX-License-Identifier: BSD-2-Clause */
/* local.c - whether a user's password is ours to change. */
#include "local.h"

#include <pwd.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "request.h"

/*
 * Names that no line of passwd(5) can have, or that once meant an include of
 * NIS, are never looked up.
 */
int local_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= USER_MAX && !strpbrk(name, ":\n") &&
		name[0] != '+' && name[0] != '-';
}

/* The marks for "see shadow" that pam_unix(8) knows. */
int local_shadowed(const char *name, const char *field)
{
	return strcmp(field, "x") == 0 || strcmp(field, "*NP*") == 0 ||
		(strncmp(field, "##", 2) == 0 && strcmp(field + 2, name) == 0);
}

int local_user(const char *name)
{
	FILE *f = local_name(name) ? fopen(PATH_PASSWD, "re") : NULL;
	int code = PAM_USER_UNKNOWN;
	struct passwd *pw;

	if (!f)
		return code;
	while ((pw = fgetpwent(f)) != NULL) {
		if (strcmp(pw->pw_name, name) != 0)
			continue;
		code = local_shadowed(name, pw->pw_passwd) ? PAM_SUCCESS :
			PAM_AUTHINFO_UNAVAIL;
		break;
	}
	fclose(f);
	return code;
}
