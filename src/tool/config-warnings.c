/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks for names that do not exist, and for lines without an effect. */
#include "config-warnings.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <security/_pam_types.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/account/group.h"
#include "src/account/passwd.h"
#include "src/config/paths.h"

#define PARTS PATH_CONF ".d"

struct check {
	const struct options *o;
	const struct options_written *written;
	options_complain *warn;
	void *arg;
};

__attribute__((format(printf, 4, 5)))
static void warn(const struct check *c, const char *path, unsigned line,
		 const char *format, ...)
{
	char text[1024];
	va_list ap;
	int n = line ? snprintf(text, sizeof(text), "%s:%u: ", path, line) :
		snprintf(text, sizeof(text), "%s: ", path);

	va_start(ap, format);
	if (n >= 0 && (size_t)n < sizeof(text))
		vsnprintf(text + n, sizeof(text) - (size_t)n, format, ap);
	va_end(ap);
	c->warn(c->arg, text);
}

/* Returns the row of an option that a file gives, or -1. */
static int given(const struct check *c, const char *option)
{
	char text[OPTION_TEXT];
	const char *name;
	int i;

	for (i = 0; (name = options_text(&c->written->options, (size_t)i,
					 text)); i++)
		if (strcmp(name, option) == 0)
			return c->written->from[i].path ? i : -1;
	return -1;
}

static void check_group(const struct check *c)
{
	const int row = given(c, "rehash_group");
	const char *name = c->o->rehash_group;
	struct group group;

	if (row < 0 || *name == '\0')
		return;
	if (group_read(&group, name, NULL) == 0 && !group.found)
		warn(c, c->written->from[row].path, c->written->from[row].line,
		     "rehash_group: " PATH_GROUP " has no group \"%s\"", name);
	group_free(&group);
}

static void check_asker(const struct check *c, int row, const char *name)
{
	struct passwd_user user;

	if (passwd_is_name(name) &&
	    passwd_find(name, &user) != PAM_USER_UNKNOWN)
		return;
	warn(c, c->written->from[row].path, c->written->from[row].line,
	     "ask_for_others: " PATH_PASSWD " has no user \"%s\"", name);
}

static void check_askers(const struct check *c)
{
	const int row = given(c, "ask_for_others");
	char names[OPTIONS_ASKERS_TEXT + 1], *name, *rest = names;

	if (row < 0)
		return;
	snprintf(names, sizeof(names), "%s", c->o->askers);
	while ((name = strtok_r(rest, " \t", &rest)))
		check_asker(c, row, name);
}

static void check_memory(const struct check *c)
{
	const int row = given(c, "max_memory");
	const uint64_t takes = c->o->policy.new_memory;

	if (row >= 0 && c->o->policy.max_memory < takes)
		warn(c, c->written->from[row].path,
		     c->written->from[row].line, "max_memory has no effect, "
		     "because a new hash takes %.1f MiB",
		     (double)takes / (1 << 20));
}

/* Editors and package managers leave such files, and some write a README. */
static bool is_harmless(const char *name)
{
	return name[0] == '.' || strcmp(name, "README") == 0 ||
		fnmatch("*~", name, 0) == 0 ||
		fnmatch("*.dpkg-*", name, 0) == 0 ||
		fnmatch("*.rpm*", name, 0) == 0;
}

static void check_part(const struct check *c, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), PARTS "/%s", name);
	if (fnmatch("*.conf", name, FNM_PERIOD) != 0) {
		if (!is_harmless(name))
			warn(c, path, 0, "it is not read, because its name "
			     "does not end in \".conf\"");
	} else if (access(path, F_OK) < 0 && errno == ENOENT) {
		warn(c, path, 0, "this link leads to no file");
	}
}

static void check_parts(const struct check *c)
{
	struct dirent **list;
	int n = scandir(PARTS, &list, NULL, alphasort), i;

	for (i = 0; i < n; i++) {
		check_part(c, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static void ignore(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* A later file counts: where it differs, the administrator should know. */
static void check_file(const struct check *c, char *path)
{
	const struct options_written *all = c->written;
	char *const only[] = { path, NULL };
	char here[OPTION_TEXT], there[OPTION_TEXT];
	struct options_written written;
	struct options options;
	const char *name;
	size_t i;

	(void)options_read(&options, only, &written, ignore, NULL);
	for (i = 0; (name = options_text(&written.lines, i, here)); i++) {
		if (!written.from[i].path || !all->from[i].path ||
		    strcmp(all->from[i].path, path) == 0)
			continue;
		(void)options_text(&all->lines, i, there);
		if (strcmp(here, there) != 0)
			warn(c, path, written.from[i].line, "\"%s = %s\" has "
			     "no effect, because %s:%u says \"%s\"", name, here,
			     all->from[i].path, all->from[i].line, there);
	}
}

void config_warnings(const struct options *o,
		     const struct options_written *written,
		     char *const *paths, options_complain *take, void *arg)
{
	const struct check c = { o, written, take, arg };

	check_group(&c);
	check_askers(&c);
	check_memory(&c);
	check_parts(&c);
	/* The vendor's file is there to be overridden. */
	for (; paths && *paths; paths++)
		if (strcmp(*paths, PATH_CONF_VENDOR) != 0)
			check_file(&c, *paths);
}
