/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads /etc/passwd itself. */
#include "passwd.h"

#include <errno.h>
#include <pwd.h>
#include <security/_pam_types.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/config/paths.h"

#define MAX_BYTES (INT64_C(1) << 30)	/* of the file */
#define MORE_BYTES 1024

bool passwd_is_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= PASSWD_NAME_MAX && !strpbrk(name, ":\n") &&
		name[0] != '+' && name[0] != '-';
}

/* The marks for "see shadow" that pam_unix(8) knows. */
static bool is_shadowed(const struct passwd *pw)
{
	const char *field = pw->pw_passwd;

	return strcmp(field, "x") == 0 || strcmp(field, "*NP*") == 0 ||
		(strncmp(field, "##", 2) == 0 &&
		 strcmp(field + 2, pw->pw_name) == 0);
}

/* Looks in an open file; no line needs more than size bytes. */
static int find(FILE *f, size_t size, const char *name, uid_t *uid, gid_t *gid)
{
	struct passwd pw, *found;
	char *buf = malloc(size);
	int code = PAM_USER_UNKNOWN;

	if (!buf)
		return PAM_SYSTEM_ERR;
	while (fgetpwent_r(f, &pw, buf, size, &found) == 0) {
		if (strcmp(pw.pw_name, name) != 0)
			continue;
		*uid = pw.pw_uid;
		*gid = pw.pw_gid;
		code = is_shadowed(&pw) ? PAM_SUCCESS : PAM_IGNORE;
		break;
	}
	/* The user is unknown only if the file was read to its end. */
	if (code == PAM_USER_UNKNOWN && !feof(f))
		code = PAM_SYSTEM_ERR;
	free(buf);
	return code;
}

static int look(const char *name, uid_t *uid, gid_t *gid)
{
	int code = PAM_SYSTEM_ERR, saved;
	struct stat st;
	FILE *f = fopen(PATH_PASSWD, "re");

	if (!f)
		return code;
	/* Applications have threads: nothing static is used here. */
	if (fstat(fileno(f), &st) == 0 && st.st_size < MAX_BYTES)
		code = find(f, (size_t)st.st_size + MORE_BYTES, name, uid,
			    gid);
	saved = errno;
	fclose(f);
	errno = saved;
	return code;
}

int passwd_find(const char *name, uid_t *uid, gid_t *gid)
{
	*uid = 0;
	*gid = 0;
	return passwd_is_name(name) ? look(name, uid, gid) : PAM_USER_UNKNOWN;
}
