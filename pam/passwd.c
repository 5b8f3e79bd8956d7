/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides whether this module changes a user's password. */
#include "passwd.h"

#include <errno.h>
#include <pwd.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "request.h"
#include "src/stored/paths.h"

#define MAX_BYTES (INT64_C(1) << 30)	/* of the file */
#define MORE_BYTES 1024

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

/* Looks the name up in an open file; no line needs more than size bytes. */
static int find_user(FILE *f, const char *name, size_t size)
{
	struct passwd pw, *found;
	char *buf = malloc(size);
	int code = PAM_USER_UNKNOWN;

	if (!buf)
		return PAM_SYSTEM_ERR;
	while (fgetpwent_r(f, &pw, buf, size, &found) == 0) {
		if (strcmp(pw.pw_name, name) != 0)
			continue;
		code = passwd_shadowed(name, pw.pw_passwd) ? PAM_SUCCESS :
			PAM_IGNORE;
		break;
	}
	/* The user is unknown only if the file was read to its end. */
	if (code == PAM_USER_UNKNOWN && !feof(f))
		code = PAM_SYSTEM_ERR;
	free(buf);
	return code;
}

int passwd_user(const char *name)
{
	int code = PAM_SYSTEM_ERR, saved;
	struct stat st;
	FILE *f;

	if (!passwd_name(name))
		return PAM_USER_UNKNOWN;
	f = fopen(PATH_PASSWD, "re");
	if (!f)
		return code;
	/* Applications have threads: nothing static is used here. */
	if (fstat(fileno(f), &st) == 0 && st.st_size < MAX_BYTES)
		code = find_user(f, name, (size_t)st.st_size + MORE_BYTES);
	saved = errno;
	fclose(f);
	errno = saved;
	return code;
}
