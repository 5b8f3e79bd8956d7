/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides whether this module changes a user's password. */
#include "passwd.h"

#include <errno.h>
#include <pwd.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <string.h>

#include "paths.h"
#include "request.h"

/*
 * Never look up names that no line of passwd(5) can have, or that were once
 * NIS includes.
 */
int passwd_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= USER_MAX && !strpbrk(name, ":\n") &&
		name[0] != '+' && name[0] != '-';
}

/* The marks for "see shadow" that pam_unix(8) knows. */
int passwd_shadowed(const char *name, const char *field)
{
	return strcmp(field, "x") == 0 || strcmp(field, "*NP*") == 0 ||
		(strncmp(field, "##", 2) == 0 && strcmp(field + 2, name) == 0);
}

int passwd_user(const char *name)
{
	int code = PAM_USER_UNKNOWN, saved;
	struct passwd *pw;
	FILE *f;

	if (!passwd_name(name))
		return code;
	f = fopen(PATH_PASSWD, "re");
	if (!f)
		return PAM_SYSTEM_ERR;
	while ((pw = fgetpwent(f)) != NULL) {
		if (strcmp(pw->pw_name, name) != 0)
			continue;
		code = passwd_shadowed(name, pw->pw_passwd) ? PAM_SUCCESS :
			PAM_IGNORE;
		break;
	}
	/* The user is unknown only if the file was read to its end. */
	if (!pw && !feof(f))
		code = PAM_SYSTEM_ERR;
	saved = errno;
	fclose(f);
	errno = saved;
	return code;
}
