/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 audit: reads the system's files and has each entry judged. */
#include <errno.h>
#include <limits.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "accounts.h"
#include "ask-lyra2d.h"
#include "audit-config.h"
#include "options.h"
#include "report.h"
#include "services.h"
#include "src/account/entry.h"
#include "src/config/paths.h"
#include "src/stored/crypt3.h"
#include "tool.h"

#define ODD_PASSWD "the line in " PATH_PASSWD " is refused"

struct audit {
	struct report report;
	struct options options;		/* of the module */
	char trial[1024];		/* lines that come after its files */
	struct group group;		/* rehash_group */
	void *users;			/* of /etc/passwd */
	struct services services;
	struct judge_system system;
	char without[512];		/* services that lack the module */
	char **names;			/* n of them: only these; 0: all */
	int n;
	long today;
	bool stranded;			/* print only their names */
	bool string;			/* instead of the files */
	bool config;			/* print the options instead */
	bool failed;			/* there was no memory */
};

static bool is_asked_for(const struct audit *a, const char *name)
{
	int i;

	for (i = 0; i < a->n; i++)
		if (strcmp(a->names[i], name) == 0)
			return true;
	return a->n == 0;
}

static void count(struct report *r, const struct user *user,
		  const struct judgement *j)
{
	r->users++;
	r->totals[j->status]++;
	r->only_pam += j->only_pam;
	r->root_only_pam |= j->only_pam && user && user->uid == 0;
	r->lost += j->lost || j->lost_in;
	r->will_lose += j->will_lose;
}

/* Judges an entry as the service would, counts it and prints it. */
static void judge(struct audit *a, const char *name, const struct user *user,
		  struct entry *e, struct judge_facts *facts)
{
	struct report *r = &a->report;
	struct judgement j;

	if (!is_asked_for(a, name)) {
		explicit_bzero(e, sizeof(*e));
		return;
	}
	facts->account = entry_account(e, name, &a->group, a->today);
	judge_entry(&a->options.policy, &e->stored, facts, &j);
	explicit_bzero(e, sizeof(*e));
	count(r, user, &j);
	if (a->stranded && !a->string) {
		if (j.only_pam)
			report_name(name);
	} else if (j.status == JUDGE_LOCKED && j.empty && !r->json &&
		   !a->string && a->n == 0) {
		/* Dozens of programs have these. */
		r->hidden++;
	} else if (report_entry(r, name, user ? user->last : 0, &j) < 0) {
		a->failed = true;
	}
}

/*
 * Takes the name of a line with a field for a hash.  NIS names that begin with
 * "+" and "-" are not users; with a "$" in it, the name may be a hash, because
 * a colon is damaged.
 */
static bool take_name(const struct piece *line, char name[PASSWD_NAME_MAX + 1])
{
	struct piece rest = *line, piece = lines_take_field(&rest);

	return piece.len < line->len &&
		lines_copy(&piece, name, PASSWD_NAME_MAX + 1) == 0 &&
		passwd_is_name(name) && !strchr(name, '$');
}

static void judge_shadow(struct audit *a, struct entry *e, const char *name,
			 const struct user *user)
{
	struct judge_facts facts = {
		.system = &a->system, .refused = e->damage
	};

	/* Nobody logs in by that name. */
	if (!user || user->odd)
		facts.system = NULL;
	if (!facts.system)
		facts.outside = user ? ODD_PASSWD :
			PATH_PASSWD " has no such user";
	else if (!user->shadowed)
		facts.outside = PATH_PASSWD " has the hash";
	if (facts.outside)
		facts.refused = NULL;
	if (user) {
		e->uid = user->uid;
		e->gid = user->gid;
		if (user->lines > 1)
			facts.unwritable = PATH_SHADOW
				" has more than one line of that user";
	}
	judge(a, name, user, e, &facts);
}

/* Of the lines of one user, only the first that libc can read counts. */
static void audit_shadow(struct audit *a, const struct lines *l,
			 const struct piece *line)
{
	char name[PASSWD_NAME_MAX + 1];
	struct entry e = { .damage = NULL };
	struct user *user;

	if (!take_name(line, name) || entry_read(l, line, &e) == PAM_IGNORE) {
		a->report.ignored++;
		return;
	}
	user = accounts_find(&a->users, name);
	if (user && user->judged)
		a->report.ignored++;
	else
		judge_shadow(a, &e, name, user);
	explicit_bzero(&e, sizeof(e));
	if (user)
		user->judged = true;
}

static void count_shadow(struct audit *a, const struct lines *l,
			 const struct piece *line)
{
	char name[PASSWD_NAME_MAX + 1];
	struct user *user = take_name(line, name) ?
		accounts_find(&a->users, name) : NULL;

	(void)l;
	if (user)
		user->lines++;
}

/* The users without a line in /etc/shadow. */
static void audit_passwd(struct audit *a, const struct lines *l,
			 const struct piece *line)
{
	char name[PASSWD_NAME_MAX + 1];
	struct judge_facts facts = {
		.system = &a->system, .outside = PATH_PASSWD " has the hash"
	};
	struct entry e = { .damage = NULL };
	struct passwd_line p;
	struct user *user = NULL;

	if (passwd_read(l, line, &p) && !l->odd)
		return;
	if (lines_copy(&p.name, name, sizeof(name)) == 0 && !strchr(name, '$'))
		user = accounts_find(&a->users, name);
	if (!user || user->listed)
		return;
	user->listed = true;
	if (user->judged && (user->odd || user->shadowed))
		return;
	if (user->odd) {
		facts.refused = ODD_PASSWD;
	} else if (user->shadowed) {
		(void)entry_find(name, &e);
		facts.refused = e.damage ? e.damage :
			PATH_SHADOW " has no line of that user";
	} else {
		(void)lines_copy(&p.hash, e.hash, sizeof(e.hash));
	}
	stored_read(&e.stored, e.hash);
	judge(a, name, user, &e, &facts);
}

static int cannot_read(const char *path)
{
	if (errno == EACCES && geteuid() != 0)
		return tool_error(TOOL_SYSTEM, "%s: %s; run this as root",
				  path, strerror(errno));
	return tool_errno(path);
}

typedef void take_line(struct audit *a, const struct lines *l,
		       const struct piece *line);

/* After pwunconv(8) there is only /etc/passwd. */
static int each_line(struct audit *a, const char *path, take_line *take)
{
	struct piece line;
	struct lines l;

	if (lines_open(&l, path) < 0)
		return errno == ENOENT && take != audit_passwd ? TOOL_YES :
			cannot_read(path);
	while (lines_next(&l, &line))
		take(a, &l, &line);
	return lines_close(&l) < 0 ? cannot_read(path) : TOOL_YES;
}

/* What is true of all users */
static int read_system(struct audit *a)
{
	const struct policy *p = &a->options.policy;
	struct judge_system *s = &a->system;
	const char *silent = ask_lyra2d();

	if (services_read(&a->services) < 0)
		return tool_errno("PAM services");
	names_list(&a->services.without, a->without, sizeof(a->without));
	if (a->services.with.n == 0)
		s->no_module = a->services.broken.n > 0 ?
			"pam_lyra2.so is missing" :
			"no PAM service names pam_lyra2.so";
	else if (silent && access(PATH_LYRA2D, X_OK) < 0)
		s->no_module = PATH_LYRA2D " is missing";
	s->without = *a->without ? a->without : NULL;
	/* For root's programs, the module starts a private lyra2d. */
	if (silent)
		s->silent = "programs that users run: lyra2d does not answer";
	if (access(PATH_REMOVAL, F_OK) == 0)
		s->removal = "pam_lyra2 is being removed: " PATH_REMOVAL;
	s->new_only_pam = p->lyra2 && !crypt3_knows(p->method->prefix);
	a->report.services = &a->services;
	a->report.without = s->without;
	a->report.silent = silent;
	a->report.removal = s->removal;
	a->report.reverting = !p->lyra2 && p->rehash == REHASH_LEAVE &&
		*a->options.rehash_group == '\0';
	return TOOL_YES;
}

/* Whether each of the names is a user's */
static bool all_exist(const struct audit *a)
{
	bool all = true;
	int i;

	for (i = 0; i < a->n; i++) {
		if (accounts_find(&a->users, a->names[i]))
			continue;
		tool_error(TOOL_INPUT, "%s: " PATH_PASSWD " has no such user",
			   a->names[i]);
		all = false;
	}
	return all;
}

static int read_files(struct audit *a)
{
	int status = a->stranded ? TOOL_YES : read_system(a);

	if (status != TOOL_YES)
		return status;
	if (accounts_read(&a->users) < 0)
		return cannot_read(PATH_PASSWD);
	if (!all_exist(a))
		return TOOL_INPUT;
	if (group_read(&a->group, a->options.rehash_group, NULL) < 0)
		return cannot_read(PATH_GROUP);
	status = each_line(a, PATH_SHADOW, count_shadow);
	if (status != TOOL_YES)
		return status;
	accounts_read_last(&a->users);
	status = each_line(a, PATH_SHADOW, audit_shadow);
	if (status == TOOL_YES)
		status = each_line(a, PATH_PASSWD, audit_passwd);
	if (status == TOOL_YES && !a->stranded)
		report_users(&a->report);
	return status;
}

/* A line of a shadow file, or a hash, which is the entry of no user. */
static bool judge_string(struct audit *a, const struct lines *l,
			 const struct piece *line)
{
	struct judge_facts facts = { .outside = NULL };
	struct entry e = { .uid = (uid_t)-1, .aging = { .expire = -1 } };
	char name[PASSWD_NAME_MAX + 1] = "-";
	const bool shadow = memchr(line->at, ':', line->len);

	if ((shadow && !take_name(line, name)) ||
	    (!shadow && lines_copy(line, e.hash, sizeof(e.hash)) < 0))
		return false;
	if (shadow && entry_read(l, line, &e) != PAM_SUCCESS)
		facts.refused = e.damage;
	else if (!shadow)
		stored_read(&e.stored, e.hash);
	judge(a, name, NULL, &e, &facts);
	report_users(&a->report);
	if (shadow && !a->report.json)
		puts("Read as a line of shadow(5), with a name");
	return true;
}

/* --string: one line of standard input, since others can see arguments. */
static int read_string(struct audit *a)
{
	struct piece line = { "", 0 };
	struct lines l;
	bool judged;
	int fd = dup(STDIN_FILENO);

	a->group.all = true;
	if (fd < 0 || lines_take(&l, fd, "standard input") < 0)
		return tool_errno("standard input");
	judged = lines_next(&l, &line);
	if (judged && line.len > 0 && line.at[line.len - 1] == '\r')
		line.len--;
	judged = judged && judge_string(a, &l, &line);
	if (lines_close(&l) < 0)
		return tool_errno("standard input");
	return judged ? TOOL_YES : tool_error(TOOL_INPUT, "--string: standard "
		"input contains neither a hash nor a shadow(5) line");
}

/* Exit status: what cron is to tell; or what a removal would do. */
static int outcome(const struct audit *a)
{
	const struct report *r = &a->report;
	bool bad = r->lost || r->will_lose || a->services.broken.n > 0;

	if (a->stranded || a->string)
		bad = r->only_pam > 0;
	if (a->string)
		bad = bad || r->totals[JUDGE_UNKNOWN] ||
			r->totals[JUDGE_LOCKED];
	return bad ? TOOL_NO : TOOL_YES;
}

static int read_all(struct audit *a)
{
	int status;

	if (a->n > 0 && (a->string || a->config))
		return tool_error(TOOL_INPUT, "--%s takes no NAME",
				  a->string ? "string" : "config");
	a->today = (long)(time(NULL) / 86400);
	status = config_read(&a->options, a->trial, a->config, a->report.json);
	if (status != TOOL_YES || a->config)
		return status;
	status = a->string ? read_string(a) : read_files(a);
	if (status == TOOL_YES && a->failed)
		status = tool_errno("memory");
	if (status != TOOL_YES)
		return status;
	if (!a->stranded && (!a->string || a->report.json))
		report_totals(&a->report);
	return outcome(a);
}

/* --set and --method: a line of the configuration, for this report only. */
static int add_trial(const struct tool_option *option, const char *arg)
{
	struct audit *a = option->value;
	const size_t len = strlen(a->trial), room = sizeof(a->trial) - len;
	const int n = snprintf(a->trial + len, room, "%s%s\n",
			       strcmp(option->name, "method") == 0 ?
			       "method = " : "", arg);

	if (n >= 0 && (size_t)n < room)
		return TOOL_YES;
	return tool_error(TOOL_INPUT, "--%s: too long", option->name);
}

int audit_main(int argc, char **argv)
{
	struct audit a = { .users = NULL };
	const struct tool_option options[] = {
		{ "stranded", NULL, "print only whom the removal of the module "
		  "locks out", options_set_flag, &a.stranded, 0, 0 },
		{ "method", "NAME", "predict the logins with this method for "
		  "new hashes", add_trial, &a, 0, 0 },
		{ "set", "LINE", "or with this line of pam_lyra2.conf, after "
		  "its files", add_trial, &a, 0, 0 },
		{ "string", NULL, "judge one hash, a line of standard input, "
		  "instead", options_set_flag, &a.string, 0, 0 },
		{ "config", NULL, "print the options, and which file and line "
		  "gives each", options_set_flag, &a.config, 0, 0 },
		{ "json", NULL, "print an object", options_set_flag,
		  &a.report.json, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...] [NAME...]",
		.text = "Says which users of /etc/shadow cannot log in now, "
			"what the next login of each\nchanges, and whom the "
			"removal of the module would lock out.  Exits with 1 "
			"if a\nuser is locked out, or will be by the next "
			"login.",
		.options = options,
		.max = INT_MAX,
	};
	int status;

	if (!options_parse(&args, argc, argv))
		return args.status;
	a.names = args.operands;
	a.n = args.n;
	status = read_all(&a);
	services_free(&a.services);
	report_free(&a.report);
	group_free(&a.group);
	accounts_free(a.users);
	return status;
}
