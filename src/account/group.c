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

/* Commas separate members; libc ignores blanks before one. */
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
		if (!g->only || lines_same(&member, g->only))
			failed = add(&g->members, &member);
	}
	return failed;
}

/* An odd line has no members, as for libc. */
int group_add(struct group *g, const struct lines *l,
	      const struct piece *line)
{
	const char *odd = lines_odd(l, line);
	struct piece gid, members = { "", 0 };
	char text[16];
	unsigned id;

	if (!odd && (lines_field(line, 2, &gid) < 0 || lines_id(&gid, &id) < 0))
		odd = "the group ID is not a number";
	if (odd) {
		lines_reason(l, odd, g->why);
		return 0;
	}
	snprintf(text, sizeof(text), "%u", id);
	gid = (struct piece){ text, strlen(text) };
	if (add(&g->gids, &gid) < 0)
		return -1;
	if (lines_field(line, 3, &members) == 0)
		members.len = (size_t)(line->at + line->len - members.at);
	return add_members(g, members);
}

static int read_file(struct group *g, const char *name)
{
	struct lines l;
	struct piece line;
	int failed = 0;

	if (lines_open(&l, PATH_GROUP) < 0)
		return -1;
	while (!failed && lines_find(&l, name, BLANKS_IGNORED, &line))
		failed = group_add(g, &l, &line);
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
	char text[16];

	snprintf(text, sizeof(text), "%u", gid);
	if (g->all || tfind(user, &g->members, by_text) ||
	    tfind(text, &g->gids, by_text))
		return NULL;
	return g->why[0] ? g->why : "not in rehash_group";
}

void group_free(struct group *g)
{
	tdestroy(g->members, free);
	tdestroy(g->gids, free);
	g->members = g->gids = NULL;
}
