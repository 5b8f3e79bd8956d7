/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks one user up in /etc/passwd and /etc/shadow. */
#include "entry.h"

#include <security/_pam_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passwd.h"
#include "shadow-line.h"
#include "src/config/paths.h"

/* A number, LONG_MAX for a larger one, -1 if the field is empty. */
static int read_days(const struct piece *field, long *out)
{
	char text[24], *end;

	*out = -1;
	if (field->len == 0)
		return 0;
	if (field->len >= sizeof(text))
		return -1;
	memcpy(text, field->at, field->len);
	text[field->len] = '\0';
	*out = strtol(text, &end, 10);
	return *end == '\0' && end != text ? 0 : -1;
}

static int read_aging(const struct piece *line, struct aging *a)
{
	long *const days[] = {
		&a->lstchg, &a->min, &a->max, NULL, &a->inact, &a->expire
	};
	struct piece field;
	size_t i;

	for (i = 0; i < sizeof(days) / sizeof(days[0]); i++)
		if (days[i] && (shadow_line_field(line, i + 2, &field) < 0 ||
				read_days(&field, days[i]) < 0))
			return -1;
	return 0;
}

static int read_line(const struct piece *line, struct entry *e)
{
	struct piece hash;

	if (memchr(line->at, '\0', line->len) ||
	    shadow_line_field(line, 1, &hash) < 0 ||
	    hash.len >= sizeof(e->hash) || read_aging(line, &e->aging) < 0)
		return -1;
	memcpy(e->hash, hash.at, hash.len);
	e->hash[hash.len] = '\0';
	stored_read(&e->stored, e->hash);
	return 0;
}

/* Takes the first line of the user, as libc does. */
static int take_line(FILE *f, const char *name, struct entry *e)
{
	size_t size = 0, found = 0;
	char *buf = NULL;
	ssize_t n;

	while (!found && (n = getline(&buf, &size, f)) > 0) {
		struct piece line;

		found = shadow_line_find(buf, (size_t)n, name, &line);
		if (found && read_line(&line, e) < 0)
			e->damage = "its line in " PATH_SHADOW " is damaged";
	}
	if (buf)
		explicit_bzero(buf, size);
	free(buf);
	return found && !e->damage ? PAM_SUCCESS : PAM_AUTHINFO_UNAVAIL;
}

/* The buffer of the file holds hashes of others. */
static int find_shadow(const char *name, struct entry *e)
{
	char buf[BUFSIZ];
	FILE *f = fopen(PATH_SHADOW, "re");
	int code;

	if (!f)
		return PAM_AUTHINFO_UNAVAIL;
	setvbuf(f, buf, _IOFBF, sizeof(buf));
	code = take_line(f, name, e);
	fclose(f);
	explicit_bzero(buf, sizeof(buf));
	return code;
}

int entry_find(const char *name, struct entry *e)
{
	int code;

	memset(e, 0, sizeof(*e));
	code = e->passwd = passwd_find(name, &e->uid, &e->gid);
	if (code == PAM_SUCCESS)
		code = find_shadow(name, e);
	else if (code != PAM_USER_UNKNOWN && code != PAM_IGNORE)
		code = PAM_AUTHINFO_UNAVAIL;
	if (code == PAM_IGNORE)
		code = PAM_USER_UNKNOWN;
	if (code != PAM_SUCCESS) {
		explicit_bzero(e->hash, sizeof(e->hash));
		stored_read(&e->stored, "");
	}
	return code;
}
