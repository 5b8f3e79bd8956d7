/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares and swaps one hash in /etc/shadow. */
#include "shadow.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replace.h"
#include "src/account/passwd.h"
#include "src/account/shadow-line.h"
#include "src/config/paths.h"

#define FILE_MAX (512L << 20)	/* about three million users */

/*
 * A read error must never be taken for the end of the file, so the number of
 * bytes read is compared with the size.
 */
static char *read_all(int fd, size_t size)
{
	char *buf = malloc(size + 1);
	size_t have = 0;
	ssize_t n;

	if (!buf)
		return NULL;
	while ((n = read(fd, buf + have, size + 1 - have)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			goto fail;
		have += (size_t)n;
		if (have > size)
			break;
	}
	errno = EIO;
	if (have == size)
		return buf;
fail:
	explicit_bzero(buf, size + 1);
	free(buf);
	return NULL;
}

/* Why the last change was refused.  A worker makes one after another. */
static char refused[LINES_REASON];

static enum shadow_result refuse(const struct lines *l, const char *why)
{
	lines_reason(l, why, refused);
	return SHADOW_REFUSED;
}

/*
 * Finds the user's line, and makes sure that it is the only one, and has the
 * expected hash.  Sets s->name.at to NULL if none has to be there, and none is.
 */
static enum shadow_result find(const struct shadow_change *c,
			       const struct piece *file, struct shadow_line *s)
{
	struct lines l = lines_of(file, PATH_SHADOW);
	struct shadow_line other;
	struct piece line;
	const char *why;

	memset(s, 0, sizeof(*s));
	while (lines_find(&l, c->user, &line)) {
		why = shadow_read(&l, &line, &other);
		if (!why && s->name.at)
			why = "another line has that name";
		if (why)
			return refuse(&l, why);
		*s = other;
	}
	if (!c->old)
		return SHADOW_DONE;
	if (!s->name.at)
		return SHADOW_MISSING;
	return lines_same(&s->hash, c->old) ? SHADOW_DONE : SHADOW_CHANGED;
}

/* Copies what is before a field, and the new field.  Moves *done behind it. */
static char *put_field(char *out, const char **done, const struct piece *field,
		       const char *new)
{
	out = mempcpy(out, *done, (size_t)(field->at - *done));
	*done = field->at + field->len;
	return mempcpy(out, new, strlen(new));
}

#define DATE_BYTES 24

/* Returns what a new line takes at most. */
static size_t line_bytes(const struct shadow_change *c, const struct piece *old)
{
	return old->len + strlen(c->new) + DATE_BYTES;
}

/* Makes the new line of an old one.  Returns what to wipe and free. */
static char *make_line(const struct shadow_change *c, const struct piece *old,
		       const struct shadow_line *s, struct piece *new)
{
	char date[DATE_BYTES] = "", *out, *p;
	const char *done = old->at;

	if (c->lstchg > 0)
		snprintf(date, sizeof(date), "%ld", c->lstchg);
	out = malloc(line_bytes(c, old));
	if (!out)
		return NULL;
	p = put_field(out, &done, &s->hash, c->new);
	if (c->lstchg >= 0)
		p = put_field(p, &done, &s->lstchg, date);
	p = mempcpy(p, done, (size_t)(old->at + old->len - done));
	*new = (struct piece){ out, (size_t)(p - out) };
	return out;
}

/* Returns true if libc sees in the line the user with the new hash. */
static bool is_seen(const struct shadow_change *c, const struct piece *line)
{
	struct lines l = lines_of(line, PATH_SHADOW);
	struct shadow_line s;
	struct piece seen;

	return lines_find(&l, c->user, &seen) && !shadow_read(&l, &seen, &s) &&
		lines_same(&s.hash, c->new);
}

#define PIECES 4

/* Makes pieces[2], the new line, and writes all pieces. */
static enum shadow_result write_line(const struct shadow_change *c,
				     const struct replace *r,
				     const struct piece *old,
				     const struct shadow_line *s,
				     struct piece pieces[PIECES])
{
	char *line = make_line(c, old, s, &pieces[2]);
	enum shadow_result result = SHADOW_DONE;
	int saved;

	if (!line)
		return SHADOW_FAILED;
	if (!is_seen(c, &pieces[2])) {
		snprintf(refused, sizeof(refused), PATH_SHADOW
			 ": the C library would not read the new line");
		result = SHADOW_REFUSED;
	} else if (replace_file(r, pieces, PIECES) < 0) {
		/* ESTALE: a tool that does not take the lock was faster. */
		result = errno == ESTALE ? SHADOW_CHANGED : SHADOW_FAILED;
	}
	saved = errno;
	explicit_bzero(line, line_bytes(c, old));
	free(line);
	errno = saved;
	return result;
}

/* Adds a line with the fields that pam_unix(8) sets. */
static enum shadow_result add_line(const struct shadow_change *c,
				   const struct replace *r,
				   const struct piece *file)
{
	const bool ends = file->len == 0 || file->at[file->len - 1] == '\n';
	struct piece pieces[PIECES] = {
		*file, { "\n", !ends }, { NULL, 0 }, { "\n", 1 }
	};
	char text[PASSWD_NAME_MAX + 16];
	struct piece old = { text, 0 };
	struct shadow_line s;
	struct lines l = lines_of(&old, PATH_SHADOW);

	old.len = (size_t)snprintf(text, sizeof(text), "%s::::::::", c->user);
	(void)shadow_read(&l, &old, &s);
	return write_line(c, r, &old, &s, pieces);
}

static enum shadow_result edit(const struct shadow_change *c,
			       const struct replace *r,
			       const struct piece *file)
{
	struct piece old, pieces[PIECES] = { { "", 0 }, { "", 0 } };
	const char *end = file->at + file->len, *newline;
	struct shadow_line s;
	enum shadow_result result = find(c, file, &s);

	if (result != SHADOW_DONE)
		return result;
	if (!s.name.at)
		return add_line(c, r, file);
	newline = memchr(s.name.at, '\n', (size_t)(end - s.name.at));
	if (!newline)
		newline = end;
	old = (struct piece){ s.name.at, (size_t)(newline - s.name.at) };
	pieces[0] = (struct piece){ file->at, (size_t)(old.at - file->at) };
	pieces[3] = (struct piece){ newline, (size_t)(end - newline) };
	return write_line(c, r, &old, &s, pieces);
}

static enum shadow_result check_only(const struct shadow_change *c,
				     const struct replace *r,
				     const struct piece *file)
{
	struct shadow_line s;

	if (replace_possible(r) < 0)
		return SHADOW_FAILED;
	return find(c, file, &s);
}

typedef enum shadow_result shadow_use(const struct shadow_change *c,
				      const struct replace *r,
				      const struct piece *file);

/* Opens and reads the file, and calls a function with it. */
static enum shadow_result read_file(const struct shadow_change *c,
				    shadow_use *use)
{
	enum shadow_result result = SHADOW_FAILED;
	struct replace r;
	char *buf = NULL;

	if (replace_open(&r, PATH_SHADOW_DIR, PATH_SHADOW_NAME) < 0)
		return SHADOW_FAILED;
	errno = EFBIG;
	if (r.st.st_size <= FILE_MAX)
		buf = read_all(r.fd, (size_t)r.st.st_size);
	if (buf) {
		struct piece file = { buf, (size_t)r.st.st_size };
		int saved;

		result = use(c, &r, &file);
		saved = errno;
		explicit_bzero(buf, file.len);
		free(buf);
		errno = saved;
	}
	replace_close(&r);
	return result;
}

/*
 * Lifts the soft limit of memory meanwhile, which is that of a hash: see
 * pam/work/worker.c.  The file may be larger.
 */
static enum shadow_result with_file(const struct shadow_change *c,
				    shadow_use *use)
{
	struct rlimit old = { 0 }, most;
	const bool known = getrlimit(RLIMIT_AS, &old) == 0;
	enum shadow_result result;
	int saved;

	most = old;
	most.rlim_cur = old.rlim_max;
	if (known)
		(void)setrlimit(RLIMIT_AS, &most);
	result = read_file(c, use);
	saved = errno;
	if (known)
		(void)setrlimit(RLIMIT_AS, &old);
	errno = saved;
	return result;
}

static bool is_lyra2(const char *hash)
{
	return strncmp(hash, "$lyra2$", 7) == 0 ||
		strncmp(hash, "$bashlyra2$", 11) == 0;
}

/*
 * Blocks signals.  A signal would not damage the file, but could confuse the
 * user.
 */
enum shadow_result shadow_store(const struct shadow_change *change)
{
	sigset_t all, old;
	enum shadow_result result;

	if (is_lyra2(change->new) && access(PATH_REMOVAL, F_OK) == 0)
		return SHADOW_REMOVAL;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	result = with_file(change, edit);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return result;
}

enum shadow_result shadow_check(const struct shadow_change *change)
{
	return with_file(change, check_only);
}

const char *shadow_reason(enum shadow_result result)
{
	switch (result) {
	case SHADOW_DONE:
		return "done";
	case SHADOW_CHANGED:
		return "another process changed it first";
	case SHADOW_MISSING:
		return "it is not in " PATH_SHADOW;
	case SHADOW_REFUSED:
		return refused;
	case SHADOW_REMOVAL:
		return "pam_lyra2 is being removed: " PATH_REMOVAL;
	case SHADOW_BUSY:
		return "another program holds the lock " PATH_LOCK;
	case SHADOW_FAILED:
		break;
	}
	/* ELOOP means here that the file, or the lock, is a symbolic link. */
	return errno == ELOOP ? "the file is a symbolic link" :
		strerror(errno);
}
