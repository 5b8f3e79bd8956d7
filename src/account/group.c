/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of /etc/group. */
#include "group.h"

#include <errno.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/config/paths.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int add(void **tree, const struct piece *text)
{
	char *copy = strndup(text->at, text->len), **there = NULL;

	if (copy)
		there = tsearch(copy, tree, by_text);
	if (!there || *there != copy)
		free(copy);
	return there ? 0 : -1;
}

/* Commas separate members; libc ignores blanks before one, and empty ones. */
static int add_members(struct group *g, struct piece list)
{
	int failed = 0;

	while (list.len > 0 && !failed) {
		const char *comma = memchr(list.at, ',', list.len);
		struct piece member = list;

		if (comma)
			member.len = (size_t)(comma - list.at);
		list.at += member.len + (comma != NULL);
		list.len -= member.len + (comma != NULL);
		member = lines_text(&member);
		if (member.len > 0 && (!g->only ||
				       lines_same(&member, g->only)))
			failed = add(&g->members, &member);
	}
	return failed;
}

int group_add(struct group *g, const struct lines *l,
	      const struct piece *line)
{
	struct piece rest = *line, name = lines_take_field(&rest), gid;
	const char *why = l->odd;

	(void)lines_take_field(&rest);
	gid = lines_take_field(&rest);
	if (!why && (name.len == 0 || lines_number(&gid, &g->gid) < 0))
		why = "the C library ignores the line: the group ID is no "
			"number";
	g->found = !why;
	g->why[0] = '\0';
	if (!why)
		return add_members(g, rest);
	lines_reason(l, why, g->why);
	return 0;
}

static int read_file(struct group *g, const char *name)
{
	struct lines l;
	struct piece line;
	int failed = 0;

	if (lines_open(&l, PATH_GROUP) < 0)
		return -1;
	while (!failed && lines_find(&l, name, &line)) {
		failed = group_add(g, &l, &line);
		if (g->found || l.odd)
			break;
	}
	if (failed && !l.error)
		l.error = ENOMEM;
	return lines_close(&l);
}

int group_read(struct group *g, const char *name, const char *only)
{
	int saved;

	*g = (struct group){ .all = name[0] == '\0', .only = only };
	if (g->all || read_file(g, name) == 0)
		return 0;
	saved = errno;
	group_free(g);
	snprintf(g->why, sizeof(g->why), "cannot read " PATH_GROUP ": %s",
		 strerror(saved));
	errno = saved;
	return -1;
}

const char *group_lacks(const struct group *g, const char *user, gid_t gid)
{
	if (g->all || tfind(user, &g->members, by_text) ||
	    (g->found && g->gid == gid))
		return NULL;
	return g->why[0] ? g->why : "not in rehash_group";
}

void group_free(struct group *g)
{
	tdestroy(g->members, free);
	g->members = NULL;
	g->found = false;
}
