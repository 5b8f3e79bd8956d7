/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For libFuzzer: a change of any /etc/shadow is refused, or gives a file in
 * which glibc finds the new hash, and in which no other byte is new.  The input
 * is the user's name, the expected hash, and the file, with a newline between
 * them.  Each input is also tried with no expected hash: then a missing line is
 * added.
 */
#include <shadow.h>

#include "pam/shadow/shadow.c"

#define NEW "$new$hash"
#define TODAY 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *result;
static size_t result_len;

/* No file is opened here. */
int replace_open(struct replace *r, const char *dir, const char *name)
{
	(void)r;
	(void)dir;
	(void)name;
	return -1;
}

void replace_close(struct replace *r)
{
	(void)r;
}

int replace_possible(const struct replace *r)
{
	(void)r;
	return -1;
}

/* In place of a file, the result goes to this program. */
int replace_file(const struct replace *r, const struct piece *pieces,
		 size_t count)
{
	size_t i;

	(void)r;
	(void)count;

	result_len = 0;
	for (i = 0; i < PIECES; i++)
		result_len += pieces[i].len;
	result = malloc(result_len + 1);
	if (!result)
		abort();
	result_len = 0;
	for (i = 0; i < PIECES; i++) {
		if (pieces[i].len > 0)
			memcpy(result + result_len, pieces[i].at,
			       pieces[i].len);
		result_len += pieces[i].len;
	}
	result[result_len] = '\0';
	return 0;
}

/* Returns the hash that glibc would find in the file, as one string. */
static int seen(const struct shadow_change *c)
{
	FILE *f = fmemopen(result, result_len, "r");
	char buf[65536];
	struct spwd one, *found;
	int same = 0;

	if (!f)
		abort();
	while (fgetspent_r(f, &one, buf, sizeof(buf), &found) == 0)
		if (strcmp(one.sp_namp, c->user) == 0) {
			same = strcmp(one.sp_pwdp, NEW) == 0 &&
				(c->lstchg < 0 || one.sp_lstchg ==
				 (c->lstchg ? c->lstchg : -1));
			break;
		}
	fclose(f);
	return same;
}

static void check(const struct piece *file, const struct shadow_change *c)
{
	const struct replace r = { .fd = -1 };
	size_t from = 0, end = 0;

	result = NULL;
	if (edit(c, &r, file) != SHADOW_DONE)
		return;
	if (!result || !seen(c))
		abort();
	/* What is before and behind the change is the old file's. */
	while (from < file->len && from < result_len &&
	       file->at[from] == result[from])
		from++;
	while (end < file->len - from && end < result_len - from &&
	       file->at[file->len - 1 - end] == result[result_len - 1 - end])
		end++;
	if (memchr(file->at + from, '\n', file->len - from - end))
		abort();
	free(result);
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
