/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit: reads a system's files and has each entry judged. */
#include "tool-audit.h"
#include "tool.h"
#include "wipe.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "../pam/options.h"
#include "../pam/paths.h"

enum { FILE_NAME = PATH_MAX + 64 };

static bool has_uid0(const struct report *r, const char *user)
{
	size_t i;

	for (i = 0; i < r->uid0s; i++)
		if (strcmp(r->uid0[i], user) == 0)
			return true;
	return false;
}

/* One line, which is cut up: "user:field:..." */
static void audit_line(struct report *r, char *line)
{
	char *field = strchr(line, ':');
	struct judgement entry;

	/* NIS names netgroups and others with "+" and "-": no users. */
	if (!field || field == line || strchr("+-", *line)) {
		r->ignored++;
		return;
	}
	*field++ = '\0';
	field[strcspn(field, ":")] = '\0';
	judge_entry(&r->judge, field, has_uid0(r, line), &entry);
	report_entry(r, line, &entry);
	r->users++;
	r->totals[entry.status]++;
	r->only_pam += entry.crypt == JUDGE_NO;
}

static int add_uid0(struct report *r, const char *name)
{
	char **list = realloc(r->uid0, (r->uid0s + 1) * sizeof(*list));

	if (!list)
		return -1;
	r->uid0 = list;
	list[r->uid0s] = strdup(name);
	if (!list[r->uid0s])
		return -1;
	r->uid0s++;
	return 0;
}

/* Root, and who else has its uid. */
static int read_passwd(struct report *r, const char *path)
{
	const struct passwd *entry;
	FILE *f = fopen(path, "re");
	int failed = 0;

	if (!f)
		return tool_errno(path);
	while (!failed && (entry = fgetpwent(f)))
		if (entry->pw_uid == 0)
			failed = add_uid0(r, entry->pw_name);
	failed |= ferror(f);
	fclose(f);
	return failed ? tool_errno(path) : TOOL_YES;
}

/*
 * Not getline(), which would leave pieces of hashes in freed memory.  Returns
 * 1, 0 for what is longer than any entry or has NUL bytes, -1 at the end.
 */
static int next_line(FILE *f, char *line, size_t size)
{
	bool odd = false;
	size_t n = 0;
	int c;

	while ((c = getc(f)) != EOF && c != '\n') {
		odd = odd || c == '\0' || n == size - 1;
		if (!odd)
			line[n++] = (char)c;
	}
	line[n] = '\0';
	if (c == EOF && n == 0 && !odd)
		return -1;
	return !odd;
}

static void audit_lines(struct report *r, FILE *f, char *line, size_t size)
{
	int whole;

	while ((whole = next_line(f, line, size)) >= 0) {
		if (whole)
			audit_line(r, line);
		else
			r->ignored++;
	}
}

/* The hashes are wiped, from stdio's buffer too. */
static int read_shadow(struct report *r, const char *path)
{
	char buffer[BUFSIZ], line[4096];
	FILE *f = fopen(path, "re");
	int status = TOOL_YES;

	if (!f)
		return tool_errno(path);
	setvbuf(f, buffer, _IOFBF, sizeof(buffer));
	report_head(r);
	audit_lines(r, f, line, sizeof(line));
	if (ferror(f))
		status = tool_errno(path);
	fclose(f);
	lyra2_wipe(buffer, sizeof(buffer));
	lyra2_wipe(line, sizeof(line));
	return status;
}

/* What the module complains about it gets over, and so do we. */
static void complain(void *arg, const char *text)
{
	(void)arg;
	tool_error(TOOL_INPUT, "%s", text);
}

static int read_all(struct report *r, const char *root)
{
	char conf[FILE_NAME], passwd[FILE_NAME], shadow[FILE_NAME];
	const char *arg = conf;
	struct options options;
	int status;

	if (strlen(root) > PATH_MAX)
		return tool_error(TOOL_INPUT, "--root: %zu bytes are not 0..."
				  "%d", strlen(root), PATH_MAX);
	snprintf(conf, sizeof(conf), "conf=%s%s", root, PATH_CONF);
	snprintf(passwd, sizeof(passwd), "%s%s", root, PATH_PASSWD);
	snprintf(shadow, sizeof(shadow), "%s%s", root, PATH_SHADOW);
	r->judge.foreign = *root != '\0';
	options_read(&options, r->judge.foreign, &arg, complain, NULL);
	r->judge.policy = options.policy;
	status = read_passwd(r, passwd);
	if (status == TOOL_YES)
		status = read_shadow(r, shadow);
	return status;
}

int tool_audit(int argc, char **argv)
{
	struct report r = { .json = false };
	const char *root = "";
	const struct tool_option options[] = {
		{ "root", "DIR", "audit the system that is mounted at DIR",
		  tool_set_string, &root, 0, 0 },
		{ "json", NULL, "print an object", tool_set_flag, &r.json, 0,
		  0 },
	};
	char **operands;
	int status;

	if (tool_parse(argc, argv, options, 2, "[OPTION...]", "Tells how each "
		       "password in /etc/shadow is hashed, and exits with 1 "
		       "if one is\nweaker than pam_lyra2 is configured to "
		       "make it.", 0, &operands, &status) < 0)
		return status;
	status = read_all(&r, root);
	if (status == TOOL_YES) {
		report_totals(&r);
		status = r.totals[JUDGE_WEAKER] ? TOOL_NO : TOOL_YES;
	}
	while (r.uid0s)
		free(r.uid0[--r.uid0s]);
	free(r.uid0);
	return status;
}
