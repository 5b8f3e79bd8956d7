/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits the lines that the service writes: see the rules in limit.h. */
#include "limit.h"

#include <stdio.h>
#include <string.h>

/* Forgets sources that may write again. */
static void forget_quiet(struct limit *l, int64_t now)
{
	size_t i = 0;

	while (i < l->count)
		if (l->sources[i].more == 0 && l->sources[i].until <= now)
			l->sources[i] = l->sources[--l->count];
		else
			i++;
}

/*
 * Finds the source, or makes it.  All sources without a place share the last
 * one.
 */
static struct limit_source *find_or_make(struct limit *l, uint64_t source,
					 int64_t now)
{
	size_t i;

	forget_quiet(l, now);
	for (i = 0; i < l->count; i++)
		if (l->sources[i].source == source)
			return &l->sources[i];
	if (l->count == LIMIT_SOURCES)
		return &l->sources[LIMIT_SOURCES - 1];
	l->sources[l->count] = (struct limit_source){
		.source = source, .until = now
	};
	return &l->sources[l->count++];
}

bool limit_allows(struct limit *l, uint64_t source, const char *text,
		  int64_t now)
{
	struct limit_source *s = find_or_make(l, source, now);

	if (s->until <= now && s->more == 0) {
		s->until = now + LIMIT_MS;
		return true;
	}
	s->more++;
	snprintf(s->text, sizeof(s->text), "%s", text);
	return false;
}

unsigned limit_sum(struct limit *l, int64_t now, char text[LIMIT_TEXT])
{
	unsigned more;
	size_t i;

	for (i = 0; i < l->count; i++) {
		struct limit_source *s = &l->sources[i];

		more = s->more;
		if (more == 0 || s->until > now)
			continue;
		memcpy(text, s->text, LIMIT_TEXT);
		s->more = 0;
		s->until = now + LIMIT_MS;
		return more;
	}
	return 0;
}

int64_t limit_wake(const struct limit *l)
{
	int64_t first = -1;
	size_t i;

	for (i = 0; i < l->count; i++)
		if (l->sources[i].more > 0 &&
		    (first < 0 || l->sources[i].until < first))
			first = l->sources[i].until;
	return first;
}
