/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: a change of any /etc/shadow gives, byte for byte, the result
 * of a simple program that goes through the file once.  The input is the user's
 * name, the expected hash, and the file, with a newline between them.  Each
 * input is also tried with no expected hash: then a missing line is added.
 */
#include "pam/shadow/shadow.c"

#include <stdbool.h>
#include <stdint.h>

#include "src/account/passwd.h"

#define NEW "$new$hash"
#define TODAY 20000
#define DATE "20000"
#define ADDED ":" DATE "::::::\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The findings and the output of the simple program */
struct result {
	size_t lines, fields, len;
	bool same, damaged;
	char *out;
};

static void add(struct result *r, const char *text, size_t len)
{
	memcpy(r->out + r->len, text, len);
	r->len += len;
}

static bool begins(const char *line, const char *end, const char *user)
{
	while (*user && line < end && *line == *user) {
		line++;
		user++;
	}
	return *user == '\0' && line < end && *line == ':';
}

static void copy_fields(struct result *r, const char *line, const char *end,
			const struct shadow_change *c)
{
	const char *field = line, *p;

	for (r->fields = 0, p = line; p <= end; p++) {
		if (p < end && (*p == '\r' || *p == '\0'))
			r->damaged = true;
		if (p < end && *p != ':')
			continue;
		if (r->fields == 1)
			r->same = !c->old ||
				((size_t)(p - field) == strlen(c->old) &&
				 memcmp(field, c->old, strlen(c->old)) == 0);
		if (r->fields == 1)
			add(r, NEW, strlen(NEW));
		else if (r->fields == 2 && c->lstchg >= 0)
			add(r, DATE, strlen(DATE));
		else
			add(r, field, (size_t)(p - field));
		if (p < end)
			add(r, ":", 1);
		field = p + 1;
		r->fields++;
	}
	r->damaged = r->damaged || r->fields != 9;
}

static void change(struct result *r, const struct piece *file,
		   const struct shadow_change *c)
{
	const char *line = file->at, *end = file->at + file->len, *p;

	for (p = line; p <= end; p++) {
		if (p < end && *p != '\n')
			continue;
		if (begins(line, p, c->user)) {
			r->lines++;
			copy_fields(r, line, p, c);
		} else {
			add(r, line, (size_t)(p - line));
		}
		if (p < end)
			add(r, "\n", 1);
		line = p + 1;
	}
	if (r->lines > 0 || c->old)
		return;
	if (r->len > 0 && r->out[r->len - 1] != '\n')
		add(r, "\n", 1);
	add(r, c->user, strlen(c->user));
	add(r, ":" NEW ADDED, strlen(":" NEW ADDED));
}

static void check_pieces(const struct result *r,
			 const struct piece pieces[PIECES])
{
	size_t at = 0, i;

	for (i = 0; i < PIECES; i++) {
		if (pieces[i].len == 0)
			continue;
		if (pieces[i].len > r->len - at ||
		    memcmp(pieces[i].at, r->out + at, pieces[i].len) != 0)
			abort();
		at += pieces[i].len;
	}
	if (at != r->len)
		abort();
}

static void check(const struct piece *file, const struct shadow_change *c)
{
	struct result r = { .out = malloc(file->len * 10 + 64 +
					  strlen(c->user)) };
	struct piece line, pieces[PIECES] = { { NULL, 0 } };
	enum shadow_result found = find(c, file, &line);

	if (!r.out)
		abort();
	change(&r, file, c);
	if (r.lines == 0 && !c->old) {
		if (found != SHADOW_DONE || line.at)
			abort();
		add_line(c, file, DATE, pieces);
		check_pieces(&r, pieces);
	} else if (r.lines != 1) {
		if (found != (r.lines ? SHADOW_DUPLICATE : SHADOW_MISSING))
			abort();
	} else if (r.damaged) {
		if (found != SHADOW_DAMAGED)
			abort();
	} else if (found != (r.same ? SHADOW_DONE : SHADOW_CHANGED)) {
		abort();
	} else if (found == SHADOW_DONE) {
		change_line(c, file, &line, DATE, pieces);
		check_pieces(&r, pieces);
	}
	free(r.out);
}

static void check_days(const struct piece *file, struct shadow_change c)
{
	for (c.lstchg = -1; c.lstchg <= TODAY; c.lstchg += TODAY + 1)
		check(file, &c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1), *old, *rest;
	struct shadow_change c = { .new = NEW };
	struct piece file;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	copy[size] = '\0';
	old = memchr(copy, '\n', size);
	rest = old ? memchr(old + 1, '\n', size - (size_t)(old + 1 - copy)) :
		NULL;
	if (rest) {
		*old++ = *rest++ = '\0';
		c.user = copy;
		file = (struct piece){ rest, size - (size_t)(rest - copy) };
		if (passwd_is_name(c.user)) {
			check_days(&file, c);
			c.old = old;
			check_days(&file, c);
		}
	}
	free(copy);
	return 0;
}
