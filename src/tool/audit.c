/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit: reads a system's files and has each entry judged. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "root-file.h"
#include "src/stored/options.h"
#include "src/stored/paths.h"
#include "tool.h"
#include "wipe.h"

enum { FILE_NAME = PATH_MAX + 64 };

/* System accounts have user IDs below this: login.defs(5). */
enum { DEFAULT_UID_MIN = 1000, NOBODY = 65534 };

struct account {
	char *name;
	bool uid0;		/* else a system account */
};

struct audit {
	struct report report;
	void *accounts;			/* root's and programs': tsearch(3) */
	bool users, weak;		/* the filters */
	bool string;			/* instead of the files */
	bool system;			/* which accounts this pass lists */
};

static int by_name(const void *a, const void *b)
{
	const struct account *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static const struct account *find_account(const struct audit *a, char *name)
{
	const struct account key = { .name = name };
	struct account **found = tfind(&key, &a->accounts, by_name);

	return found ? *found : NULL;
}

static int judge_field(struct audit *a, const char *user, const char *field,
		       bool uid0, struct judgement *entry)
{
	struct report *r = &a->report;

	judge_entry(&r->judge, field, uid0, entry);
	r->users++;
	r->totals[entry->status]++;
	r->only_pam += entry->crypt == JUDGE_NO;
	return entry->setting ?
		salts_add(&r->salts, user, field, entry->setting) : 0;
}

/* One line, which is cut up: "user:field:..." */
static int audit_line(struct audit *a, char *line)
{
	struct report *r = &a->report;
	char *field = strchr(line, ':');
	const struct account *account;
	struct judgement entry;
	bool system;

	/* NIS names that begin with "+" and "-" are not users. */
	if (!field || field == line || strchr("+-", *line)) {
		r->ignored += !a->system;
		return 0;
	}
	*field++ = '\0';
	field[strcspn(field, ":")] = '\0';
	account = find_account(a, line);
	system = account && !account->uid0;
	if (system != a->system)
		return 0;
	if (judge_field(a, line, field, account && account->uid0, &entry) < 0)
		return -1;
	if (a->weak && entry.status != JUDGE_WEAKER)
		return 0;
	/* Dozens of these say nothing. */
	if (system && entry.status == JUDGE_LOCKED && !r->json) {
		r->hidden++;
		return 0;
	}
	report_entry(r, line, system, &entry);
	r->listed++;
	return 0;
}

static void free_account(void *account)
{
	free(((struct account *)account)->name);
	free(account);
}

static int add_account(struct audit *a, const char *name, bool uid0)
{
	struct account *new = malloc(sizeof(*new));
	struct account **there = NULL;

	if (!new)
		return -1;
	new->uid0 = uid0;
	new->name = strdup(name);
	if (new->name)
		there = tsearch(new, &a->accounts, by_name);
	/* Of several lines the first one counts, as for getpwnam(3). */
	if (!there || *there != new)
		free_account(new);
	return there ? 0 : -1;
}

/* UID_MIN of login.defs(5), where that can be read. */
static uid_t read_uid_min(const char *root, const char *path)
{
	FILE *f = root_file_open(root, path);
	unsigned long n, found = DEFAULT_UID_MIN;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " UID_MIN %lu", &n) == 1)
			found = n;
	if (f)
		fclose(f);
	return (uid_t)found;
}

static int cannot_read(const char *path)
{
	if (errno == EACCES && geteuid() != 0)
		return tool_error(TOOL_SYSTEM, "%s: %s; run this as root",
				  path, strerror(errno));
	return tool_errno(path);
}

static int read_passwd(struct audit *a, const char *root, const char *path,
		       uid_t uid_min)
{
	const struct passwd *entry;
	FILE *f = root_file_open(root, path);
	int failed = 0;

	if (!f)
		return cannot_read(path);
	while (!failed && (entry = fgetpwent(f)))
		if (entry->pw_uid < uid_min || entry->pw_uid == NOBODY)
			failed = add_account(a, entry->pw_name,
					     entry->pw_uid == 0);
	failed |= ferror(f);
	fclose(f);
	return failed ? tool_errno(path) : TOOL_YES;
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
	int whole, failed = 0;

	while (!failed && (whole = next_line(f, line, size)) >= 0) {
		if (whole)
			failed = audit_line(a, line);
		else
			a->report.ignored += !a->system;
	}
	return ferror(f) ? -1 : failed;
}

/*
 * Users first, then system accounts: the file is read twice.  The hashes are
 * wiped, from stdio's buffer too.
 */
static int read_shadow(struct audit *a, const char *root, const char *path)
{
	char buffer[BUFSIZ], line[4096];
	FILE *f = root_file_open(root, path);
	int failed, status = TOOL_YES;

	if (!f)
		return cannot_read(path);
	setvbuf(f, buffer, _IOFBF, sizeof(buffer));
	report_head(&a->report);
	failed = audit_lines(a, f, line, sizeof(line));
	if (!failed && !a->users) {
		rewind(f);
		a->system = true;
		failed = audit_lines(a, f, line, sizeof(line));
	}
	if (failed)
		status = tool_errno(path);
	fclose(f);
	lyra2_wipe(buffer, sizeof(buffer));
	lyra2_wipe(line, sizeof(line));
	return status;
}

/*
 * --string: one line of standard input, since others can see arguments.  Its
 * row is that of a user without a name.
 */
static int read_string(struct audit *a)
{
	struct judgement entry;
	char line[4096];
	int status = TOOL_YES;

	if (next_line(stdin, line, sizeof(line)) != 1)
		status = tool_error(TOOL_INPUT, "--string: standard input has "
				    "no line of 1...%zu bytes without NUL",
				    sizeof(line) - 1);
	else if (judge_field(a, "-", line, false, &entry) < 0)
		status = tool_errno("--string");
	lyra2_wipe(line, sizeof(line));
	if (status != TOOL_YES)
		return status;
	report_head(&a->report);
	report_entry(&a->report, "-", false, &entry);
	if (entry.cost > 0 && !a->report.json && !a->report.metrics)
		printf("A guess costs %.3g times as much as configured.\n",
		       entry.cost);
	return TOOL_YES;
}

/* The module logs what is wrong and continues, as we do. */
static void complain(void *arg, const char *text)
{
	(void)arg;
	tool_error(TOOL_INPUT, "%s", text);
}

/* The file of that root, if a link in it does not lead out. */
static int read_conf(const char *root, const char *path, struct options *o)
{
	FILE *f;

	if (*root == '\0') {
		options_read(o, 0, NULL, complain, NULL);
		return TOOL_YES;
	}
	f = root_file_open(root, path);
	if (!f && (errno == EACCES || (errno == ENOENT &&
	    faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)))
		return cannot_read(path);
	options_read_file(o, f, path, complain, NULL);
	return TOOL_YES;
}

static int read_all(struct audit *a, const char *root)
{
	char conf[FILE_NAME], defs[FILE_NAME], passwd[FILE_NAME];
	char shadow[FILE_NAME];
	struct judge *judge = &a->report.judge;
	struct options options;
	int status;

	if (strlen(root) > PATH_MAX)
		return tool_error(TOOL_INPUT, "--root: %zu bytes are not 0..."
				  "%d", strlen(root), PATH_MAX);
	snprintf(conf, sizeof(conf), "%s%s", root, PATH_CONF);
	snprintf(defs, sizeof(defs), "%s/etc/login.defs", root);
	snprintf(passwd, sizeof(passwd), "%s%s", root, PATH_PASSWD);
	snprintf(shadow, sizeof(shadow), "%s%s", root, PATH_SHADOW);
	judge->foreign = *root != '\0';
	status = read_conf(root, conf, &options);
	if (status != TOOL_YES)
		return status;
	judge->policy = options.policy;
	if (a->string)
		return read_string(a);
	status = read_passwd(a, root, passwd, read_uid_min(root, defs));
	if (status == TOOL_YES)
		status = read_shadow(a, root, shadow);
	return status;
}

int audit_main(int argc, char **argv)
{
	struct audit a = { .accounts = NULL };
	const char *root = "";
	const struct tool_option options[] = {
		{ "root", "DIR", "audit the system that is mounted at DIR",
		  options_set_string, &root, 0, 0 },
		{ "weak", NULL, "list only hashes weaker than configured",
		  options_set_flag, &a.weak, 0, 0 },
		{ "users", NULL, "leave out accounts for programs (UID_MIN in "
		  "login.defs)", options_set_flag, &a.users, 0, 0 },
		{ "string", NULL, "judge one hash, a line of standard input, "
		  "instead", options_set_flag, &a.string, 0, 0 },
		{ "json", NULL, "print an object", options_set_flag,
		  &a.report.json, 0, 0 },
		{ "metrics", NULL, "print numbers for node_exporter",
		  options_set_flag, &a.report.metrics, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Tells how each password in /etc/shadow is hashed, "
			"and exits with 1 if one is\nweaker than pam_lyra2 "
			"is configured to make it.",
		.options = options,
	};
	int status;

	if (!options_parse(&args, argc, argv))
		return args.status;
	if (a.report.json && a.report.metrics)
		return tool_error(TOOL_INPUT, "give either --json or "
				  "--metrics");
	status = read_all(&a, root);
	if (status == TOOL_YES) {
		salts_sort(&a.report.salts);
		if (!a.string || a.report.json || a.report.metrics)
			report_totals(&a.report);
		status = a.report.totals[JUDGE_WEAKER] ||
			(a.string && a.report.totals[JUDGE_UNKNOWN]) ?
			TOOL_NO : TOOL_YES;
	}
	tdestroy(a.accounts, free_account);
	salts_free(&a.report.salts);
	return status;
}
