/* SPDX-License-Identifier: BSD-2-Clause */
/* Who shares a salt, found by sorting. */
#include "salts.h"

#include <stdlib.h>
#include <string.h>

#include "wipe.h"

struct salt {
	char *setting, *user;
};

int salts_add(struct salts *s, const char *user, const char *field,
	      size_t len)
{
	struct salt *list = s->list, *new;

	/* Doubled when the number is a power of two. */
	if ((s->n & (s->n - 1)) == 0)
		list = realloc(list, (s->n ? 2 * s->n : 1) * sizeof(*list));
	if (!list)
		return -1;
	s->list = list;
	new = &list[s->n];
	new->setting = strndup(field, len);
	new->user = strdup(user);
	if (new->setting && new->user) {
		s->n++;
		return 0;
	}
	free(new->setting);
	free(new->user);
	return -1;
}

static int compare(const void *a, const void *b)
{
	const struct salt *left = a, *right = b;
	const int by_salt = strcmp(left->setting, right->setting);

	return by_salt ? by_salt : strcmp(left->user, right->user);
}

static bool same(const struct salts *s, size_t i, size_t j)
{
	return j < s->n &&
		strcmp(s->list[i].setting, s->list[j].setting) == 0;
}

const char *salts_user(const struct salts *s, size_t i, bool *first)
{
	/* Before the first of all is SIZE_MAX, which is not below n. */
	*first = !same(s, i, i - 1);
	return *first && !same(s, i, i + 1) ? NULL : s->list[i].user;
}

void salts_sort(struct salts *s)
{
	bool first;
	size_t i;

	if (s->n)
		qsort(s->list, s->n, sizeof(*s->list), compare);
	for (i = 0; i < s->n; i++)
		s->shared += salts_user(s, i, &first) != NULL;
}

void salts_free(struct salts *s)
{
	while (s->n) {
		struct salt *last = &s->list[--s->n];

		lyra2_wipe(last->setting, strlen(last->setting));
		free(last->setting);
		free(last->user);
	}
	free(s->list);
}
