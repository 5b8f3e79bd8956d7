/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the users of /etc/passwd, and when they came last. */
#include "accounts.h"

#include <dlfcn.h>
#include <errno.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utmpx.h>

#include "src/config/paths.h"

static int by_name(const void *a, const void *b)
{
	const struct user *left = a, *right = b;

	return strcmp(left->name, right->name);
}

struct user *accounts_find(void *const *tree, const char *name)
{
	const struct user key = { .name = (char *)(uintptr_t)name };
	struct user **found = tfind(&key, tree, by_name);

	return found ? *found : NULL;
}

static void free_user(void *user)
{
	free(((struct user *)user)->name);
	free(user);
}

void accounts_free(void *tree)
{
	tdestroy(tree, free_user);
}

int accounts_add(void **tree, const struct user *user)
{
	struct user *new = malloc(sizeof(*new));
	struct user **there = NULL;

	if (!new)
		return -1;
	*new = *user;
	new->name = strdup(user->name);
	if (new->name)
		there = tsearch(new, tree, by_name);
	if (!there || *there != new)
		free_user(new);
	return there ? 0 : -1;
}

/* A line that must be refused hides later lines of that name. */
int accounts_add_line(void **tree, const struct lines *l,
		      const struct piece *line)
{
	char name[PASSWD_NAME_MAX + 1];
	struct passwd_line p;
	struct user user = { .name = name };
	const char *odd = passwd_read(l, line, &p);

	if ((odd && !l->odd) ||
	    lines_copy(&p.name, name, sizeof(name)) < 0 ||
	    !passwd_is_name(name))
		return 0;
	user.uid = p.uid;
	user.gid = p.gid;
	user.shadowed = p.shadowed;
	user.odd = odd != NULL;
	return accounts_add(tree, &user);
}

int accounts_read(void **tree)
{
	struct piece line;
	struct lines l;
	int failed = 0;

	if (lines_open(&l, PATH_PASSWD) < 0)
		return -1;
	while (!failed && lines_next(&l, &line))
		failed = accounts_add_line(tree, &l, &line);
	if (failed && !l.error)
		l.error = ENOMEM;
	return lines_close(&l);
}

static void came(void **tree, const char *name, int64_t when)
{
	struct user *user = accounts_find(tree, name);

	if (user && when > user->last)
		user->last = (time_t)when;
}

static void read_wtmp(void **tree)
{
	const struct utmpx *u;
	char name[sizeof(u->ut_user) + 1];

	utmpxname("/var/log/wtmp");
	setutxent();
	while ((u = getutxent())) {
		snprintf(name, sizeof(name), "%.*s", (int)sizeof(u->ut_user),
			 u->ut_user);
		if (u->ut_type == USER_PROCESS)
			came(tree, name, u->ut_tv.tv_sec);
	}
	endutxent();
}

/* lastlog2's callback takes no argument of the caller's. */
static void **tree_of_lastlog2;

static int take_lastlog2(const char *name, int64_t when, const char *tty,
			 const char *host, const char *service,
			 const char *error)
{
	(void)tty;
	(void)host;
	(void)service;
	if (name && !error)
		came(tree_of_lastlog2, name, when);
	return 0;
}

/* Of util-linux 2.40; loaded, as most systems are without it. */
static void read_lastlog2(void **tree)
{
	void *library = dlopen("liblastlog2.so.2", RTLD_NOW);
	void *(*new_context)(const char *) = NULL;
	int (*read_all)(void *, int (*)(const char *, int64_t, const char *,
					const char *, const char *,
					const char *), char **) = NULL;
	char *error = NULL;

	if (!library)
		return;
	*(void **)&new_context = dlsym(library, "ll2_new_context");
	*(void **)&read_all = dlsym(library, "ll2_read_all");
	tree_of_lastlog2 = tree;
	if (new_context && read_all)
		(void)read_all(new_context(NULL), take_lastlog2, &error);
	free(error);
	dlclose(library);
}

void accounts_read_last(void **tree)
{
	read_wtmp(tree);
	read_lastlog2(tree);
}
