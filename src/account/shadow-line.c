/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads one line of shadow(5) as getspnam(3) of glibc does. */
#include "shadow-line.h"

#include <string.h>

/*
 * Takes a number of days, -1 for an empty field.  There must be a field, even
 * an empty one needs its colon.
 */
static bool take_days(struct piece *rest, int32_t *days)
{
	const bool none = rest->len == 0;
	const struct piece field = lines_take_field(rest);
	uint32_t n = UINT32_MAX;

	if (none || (field.len > 0 && lines_number(&field, &n) < 0))
		return false;
	*days = (int32_t)n;
	return true;
}

/* Old files have lines of five fields. */
static bool take_newer(struct piece rest, struct aging *a)
{
	uint32_t flag;
	int32_t warn;

	a->inact = a->expire = -1;
	rest = lines_text(&rest);
	if (rest.len == 0)
		return true;
	return take_days(&rest, &warn) && take_days(&rest, &a->inact) &&
		take_days(&rest, &a->expire) &&
		(rest.len == 0 || lines_number(&rest, &flag) == 0);
}

const char *shadow_read(const struct lines *l, const struct piece *line,
			struct shadow_line *s)
{
	struct piece rest = *line, dates;

	memset(s, 0, sizeof(*s));
	s->name = lines_take_field(&rest);
	s->hash = lines_take_field(&rest);
	dates = rest;
	s->lstchg = lines_take_field(&dates);
	if (l->odd)
		return l->odd;
	if (take_days(&rest, &s->aging.lstchg) &&
	    take_days(&rest, &s->aging.min) &&
	    take_days(&rest, &s->aging.max) && take_newer(rest, &s->aging))
		return NULL;
	return "the C library ignores the line: a field is no number, or there "
		"are not 5 or 8 to 9 fields";
}
