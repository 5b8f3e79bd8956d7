/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps a number for each name, and where its line begins, but no secrets. */
#include "places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct place {
	uint32_t name;		/* hash_of() the name */
	uint32_t at;		/* bytes before the line */
};

struct places {
	struct stat file;	/* as it was when it was read */
	struct place *place;	/* of each line; NULL: unusable */
	size_t count;
};

static bool kept;
static struct places files[BLANKS_IGNORED + 1];

void places_keep(void)
{
	kept = true;
}

static uint32_t hash_of(const char *name, size_t len)
{
	uint32_t hash = 2166136261u;

	for (; len > 0; len--)
		hash = (hash ^ (unsigned char)*name++) * 16777619u;
	return hash;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
		a->st_size == b->st_size &&
		same_time(&a->st_mtim, &b->st_mtim) &&
		same_time(&a->st_ctim, &b->st_ctim);
}

static bool is_suitable(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_size > PLACES_BYTES &&
		st->st_size < UINT32_MAX &&
		time(NULL) - st->st_ctim.tv_sec > PLACES_SECONDS;
}

static void forget(struct places *p)
{
	free(p->place);
	p->place = NULL;
	p->count = 0;
}

static int add(struct places *p, uint32_t at, const struct piece *name)
{
	struct place *more;

	if (p->count == PLACES_LINES)
		return -1;
	if ((p->count & (p->count - 1)) == 0) {
		more = realloc(p->place, (2 * p->count + 1) * sizeof(*more));
		if (!more)
			return -1;
		p->place = more;
	}
	p->place[p->count++] = (struct place){
		hash_of(name->at, name->len), at
	};
	return 0;
}

static int read_all(struct places *p, struct lines *l, enum lines_blanks blanks)
{
	struct piece line, name;
	uint32_t at = 0;

	while (lines_next(l, &line)) {
		name = blanks == BLANKS_IGNORED ? lines_text(&line) : line;
		lines_field(&name, 0, &name);
		if (l->cut || add(p, at, &name) < 0)
			return -1;
		at += (uint32_t)line.len + 1;
	}
	return l->error ? -1 : 0;
}

/*
 * Makes p describe the file, which it reads only if that has changed.  Returns
 * -1 if the caller has to search the file itself.
 */
static int prepare(struct places *p, struct lines *l, enum lines_blanks blanks)
{
	struct stat now, then;

	if (!kept || fstat(l->fd, &then) < 0 || !is_suitable(&then))
		return -1;
	if (same_file(&p->file, &then))
		return p->place ? 0 : -1;
	forget(p);
	p->file = then;
	if (read_all(p, l, blanks) == 0 && fstat(l->fd, &now) == 0 &&
	    same_file(&now, &then))
		return 0;
	forget(p);
	if (l->error)
		p->file.st_size = 0;
	(void)lines_seek(l, 0, 0);
	return -1;
}

bool places_find(struct lines *l, const char *name, enum lines_blanks blanks,
		 struct piece *line)
{
	struct places *p = &files[blanks];
	const uint32_t hash = hash_of(name, strlen(name));
	size_t i;

	if (prepare(p, l, blanks) < 0)
		return lines_find(l, name, blanks, line);
	for (i = 0; i < p->count; i++) {
		if (p->place[i].name != hash)
			continue;
		if (lines_seek(l, p->place[i].at, i) < 0 ||
		    !lines_next(l, line))
			return false;
		if (blanks == BLANKS_IGNORED)
			*line = lines_text(line);
		if (lines_begin(line, name))
			return true;
	}
	return false;
}
