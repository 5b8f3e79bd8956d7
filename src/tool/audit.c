/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit: reads the system's files and has each entry judged. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accounts.h"
#include "options.h"
#include "report.h"
#include "src/account/group.h"
#include "src/config/options.h"
#include "src/config/paths.h"
#include "tool.h"
#include "wipe.h"

struct audit {
	struct report report;
	struct options options;		/* of the module */
	void *users;			/* of /etc/passwd */
	time_t now;
	bool stranded;			/* print only their names */
	bool string;			/* instead of the files */
	bool passwd;			/* the file is /etc/passwd */
};

/* Cuts a line up, "user:field:..."; NULL for what is no field. */
static char *cut(char **rest)
{
	char *field = *rest;

	if (field)
		*rest = strchr(field, ':');
	if (field && *rest)
		*(*rest)++ = '\0';
	return field;
}

/* Whether the day in the eighth field, the sixth of these, has come. */
static bool is_expired(const struct audit *a, char *rest)
{
	const char *expire = NULL;
	int i;

	for (i = 0; i < 6; i++)
		expire = cut(&rest);
	return expire && *expire >= '0' && *expire <= '9' &&
		a->now / 86400 >= strtol(expire, NULL, 10);
}

static void judge_line(const struct audit *a, const char *name,
		       const struct user *user, const char *hash, char *rest,
		       struct judgement *entry)
{
	const char *group = a->options.rehash_group;
	const struct account account = {
		.root = user && user->uid == 0,
		.outside = group[0] != '\0' && user &&
			!group_has(group, name, user->gid),
		.expired = !a->passwd && is_expired(a, rest)
	};
	const char *outside = a->passwd || (user && !user->shadowed) ?
		"/etc/passwd has the hash" : NULL;

	judge_entry(&a->options.policy, hash, &account, outside, entry);
}

static void count(struct report *r, const struct user *user,
		  const struct judgement *entry)
{
	r->users++;
	r->totals[entry->status]++;
	r->only_pam += entry->only_pam;
	r->root_only_pam |= entry->only_pam && user && user->uid == 0;
}

static void list(struct audit *a, const char *name, const struct user *user,
		 const struct judgement *entry)
{
	struct report *r = &a->report;

	if (a->stranded) {
		if (entry->only_pam)
			puts(name);
	} else if (entry->status == JUDGE_LOCKED && entry->empty && !r->json) {
		/* Dozens of programs have these. */
		r->hidden++;
	} else {
		report_entry(r, name, user ? user->last : 0, entry);
		r->listed++;
	}
}

/*
 * NIS names that begin with "+" and "-" are not users; with a "$" in it, the
 * name may be a hash, because a colon is damaged.
 */
static bool is_name(const char *name)
{
	return *name && !strchr("+-", *name) && !strchr(name, '$');
}

static void audit_line(struct audit *a, char *line)
{
	const char *name = cut(&line), *hash = cut(&line);
	const struct user *user;
	struct judgement entry;

	if (!hash || !is_name(name)) {
		a->report.ignored += !a->passwd;
		return;
	}
	if (a->passwd && strcmp(hash, "x") == 0)
		return;
	user = accounts_find(&a->users, name);
	judge_line(a, name, user, hash, line, &entry);
	count(&a->report, user, &entry);
	list(a, name, user, &entry);
}

static int cannot_read(const char *path)
{
	if (errno == EACCES && geteuid() != 0)
		return tool_error(TOOL_SYSTEM, "%s: %s; run this as root",
				  path, strerror(errno));
	return tool_errno(path);
}

/*
 * Not getline(), which would leave pieces of hashes in freed memory.  Returns
 * 1; 0 for a line with NUL bytes or longer than any entry; -1 at the end.
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

static int audit_lines(struct audit *a, FILE *f, char *line, size_t size)
{
	int whole;

	while ((whole = next_line(f, line, size)) >= 0) {
		if (whole)
			audit_line(a, line);
		else
			a->report.ignored += !a->passwd;
	}
	return ferror(f) ? -1 : 0;
}

/* The hashes are wiped, from stdio's buffer too. */
static int read_one(struct audit *a, const char *path)
{
	char buffer[BUFSIZ], line[4096];
	FILE *f = fopen(path, "re");
	int failed;

	/* After pwunconv(8) there is only /etc/passwd. */
	if (!f)
		return errno == ENOENT && !a->passwd ? TOOL_YES :
			cannot_read(path);
	setvbuf(f, buffer, _IOFBF, sizeof(buffer));
	failed = audit_lines(a, f, line, sizeof(line));
	fclose(f);
	lyra2_wipe(buffer, sizeof(buffer));
	lyra2_wipe(line, sizeof(line));
	return failed ? tool_errno(path) : TOOL_YES;
}

static int read_files(struct audit *a)
{
	int status;

	if (accounts_read(&a->users) < 0)
		return cannot_read(PATH_PASSWD);
	if (access(PATH_SHADOW, R_OK) < 0 && errno != ENOENT)
		return cannot_read(PATH_SHADOW);
	accounts_read_last(&a->users);
	if (!a->stranded)
		report_head(&a->report);
	status = read_one(a, PATH_SHADOW);
	a->passwd = true;
	return status == TOOL_YES ? read_one(a, PATH_PASSWD) : status;
}

/*
 * --string: one line of standard input, since others can see arguments.  Its
 * row is that of a user without a name, unless it is a line of a shadow file.
 */
static int read_string(struct audit *a)
{
	struct judgement entry;
	char line[4096], *rest = line;
	const char *name = "-", *hash;
	const bool whole = next_line(stdin, line, sizeof(line)) == 1;
	const bool shadow = whole && strchr(line, ':');

	line[whole ? strcspn(line, "\r") : 0] = '\0';
	if (shadow)
		name = cut(&rest);
	if (!whole || (shadow && !is_name(name))) {
		lyra2_wipe(line, sizeof(line));
		return tool_error(TOOL_INPUT, "--string: standard input has "
				  "no hash, nor a line of shadow(5), of "
				  "1...%zu bytes without NUL",
				  sizeof(line) - 1);
	}
	hash = cut(&rest);
	judge_line(a, name, NULL, hash, rest, &entry);
	count(&a->report, NULL, &entry);
	report_head(&a->report);
	report_entry(&a->report, name, 0, &entry);
	if (shadow && !a->report.json)
		puts("Read as a line of shadow(5), with a name");
	lyra2_wipe(line, sizeof(line));
	return TOOL_YES;
}

/* lyra2d logs what is wrong and continues, as we do. */
static void complain(void *arg, const char *text)
{
	(void)arg;
	tool_error(TOOL_INPUT, "%s", text);
}

static int read_all(struct audit *a)
{
	int status;

	a->now = time(NULL);
	options_read(&a->options, PATH_CONF, complain, NULL);
	status = a->string ? read_string(a) : read_files(a);
	if (status != TOOL_YES)
		return status;
	if (!a->stranded && (!a->string || a->report.json))
		report_totals(&a->report);
	return a->report.only_pam ||
		(a->string && a->report.totals[JUDGE_UNKNOWN]) ? TOOL_NO :
		TOOL_YES;
}

int audit_main(int argc, char **argv)
{
	struct audit a = { .users = NULL };
	const struct tool_option options[] = {
		{ "stranded", NULL, "print only the names that only PAM can "
		  "verify", options_set_flag, &a.stranded, 0, 0 },
		{ "string", NULL, "judge one hash, a line of standard input, "
		  "instead", options_set_flag, &a.string, 0, 0 },
		{ "json", NULL, "print an object", options_set_flag,
		  &a.report.json, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Foretells what the next login does with each hash in "
			"/etc/shadow, and why; exits\nwith 1 if only PAM can "
			"verify one: then the module must not be removed.",
		.options = options,
	};
	int status;

	if (!options_parse(&args, argc, argv))
		return args.status;
	status = read_all(&a);
	accounts_free(a.users);
	return status;
}
