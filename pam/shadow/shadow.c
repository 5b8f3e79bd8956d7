/* SPDX-License-Identifier: BSD-2-Clause */
/* Lock, compare and swap of one hash in /etc/shadow. */
#include "shadow.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "replace.h"
#include "src/account/shadow-line.h"
#include "src/config/paths.h"

#define LOCK_TICK_MS 10
#define FILE_MAX (512L << 20)	/* about three million users */

/*
 * Waits at most ms for the lock.  A blocking wait would need a signal to end
 * it.
 */
static enum shadow_result wait_lock(int fd, int ms)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct timespec tick = { 0, LOCK_TICK_MS * 1000000L };
	int64_t end = clock_ms() + ms;

	while (fcntl(fd, F_OFD_SETLK, &fl) < 0) {
		if (errno != EAGAIN && errno != EACCES)
			return SHADOW_FAILED;
		if (clock_ms() >= end)
			return SHADOW_BUSY;
		nanosleep(&tick, NULL);
	}
	return SHADOW_DONE;
}

enum shadow_result shadow_lock(int ms, int *lock)
{
	enum shadow_result result;
	int fd = open(PATH_LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		      0600), saved;

	*lock = -1;
	if (fd < 0)
		return SHADOW_FAILED;
	result = wait_lock(fd, ms);
	if (result == SHADOW_DONE) {
		*lock = fd;
		return result;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return result;
}

void shadow_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

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

#define PIECES 8

/*
 * Makes the pieces: up to the hash, the hash, [up to the date, the date,] the
 * rest.
 */
static void change_line(const struct shadow_change *c, const struct piece *file,
			const struct piece *line, const char *date,
			struct piece pieces[PIECES])
{
	const char *rest, *end = file->at + file->len;
	struct piece hash, day;
	size_t n = 0;

	lines_field(line, 1, &hash);
	lines_field(line, 2, &day);
	rest = hash.at + hash.len;
	pieces[n++] = (struct piece){ file->at, (size_t)(hash.at - file->at) };
	pieces[n++] = (struct piece){ c->new, strlen(c->new) };
	if (c->lstchg >= 0) {
		pieces[n++] = (struct piece){ rest, (size_t)(day.at - rest) };
		pieces[n++] = (struct piece){ date, strlen(date) };
		rest = day.at + day.len;
	}
	pieces[n] = (struct piece){ rest, (size_t)(end - rest) };
}

/* Makes a new line, with the fields that pam_unix(8) sets. */
static void add_line(const struct shadow_change *c, const struct piece *file,
		     const char *date, struct piece pieces[PIECES])
{
	bool ends = file->len == 0 || file->at[file->len - 1] == '\n';
	const char *const words[] = {
		ends ? "" : "\n", c->user, ":", c->new, ":", date, "::::::\n"
	};
	size_t i;

	pieces[0] = *file;
	for (i = 0; i + 1 < PIECES; i++)
		pieces[i + 1] = (struct piece){ words[i], strlen(words[i]) };
}

/*
 * Finds the user's line, and makes sure that it has the expected hash.  Sets
 * line->at to NULL if none has to be there, and none is.
 */
static enum shadow_result find(const struct shadow_change *c,
			       const struct piece *file, struct piece *line)
{
	size_t found = shadow_line_find(file->at, file->len, c->user, line);
	struct piece hash;

	if (found > 1)
		return SHADOW_DUPLICATE;
	if (found == 0) {
		line->at = NULL;
		return c->old ? SHADOW_MISSING : SHADOW_DONE;
	}
	if (!shadow_line_whole(line) || lines_field(line, 1, &hash) < 0)
		return SHADOW_DAMAGED;
	if (!c->old)
		return SHADOW_DONE;
	if (hash.len != strlen(c->old) ||
	    memcmp(hash.at, c->old, hash.len) != 0)
		return SHADOW_CHANGED;
	return SHADOW_DONE;
}

static enum shadow_result edit(const struct shadow_change *c,
			       const struct replace *r,
			       const struct piece *file)
{
	struct piece line, pieces[PIECES] = { { NULL, 0 } };
	enum shadow_result result = find(c, file, &line);
	char date[24] = "";

	if (result != SHADOW_DONE)
		return result;
	if (c->lstchg > 0)
		snprintf(date, sizeof(date), "%ld", c->lstchg);
	if (line.at)
		change_line(c, file, &line, date, pieces);
	else
		add_line(c, file, date, pieces);
	if (replace_file(r, pieces, PIECES) == 0)
		return SHADOW_DONE;
	/* A tool that does not take the lock has changed the file. */
	return errno == ESTALE ? SHADOW_CHANGED : SHADOW_FAILED;
}

static enum shadow_result check_only(const struct shadow_change *c,
				     const struct replace *r,
				     const struct piece *file)
{
	struct piece line;

	if (replace_possible(r) < 0)
		return SHADOW_FAILED;
	return find(c, file, &line);
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

/*
 * Blocks signals.  A signal would not damage the file, but could confuse the
 * user.
 */
enum shadow_result shadow_store(const struct shadow_change *change)
{
	sigset_t all, old;
	enum shadow_result result;

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
	case SHADOW_DUPLICATE:
		return SHADOW_TWICE;
	case SHADOW_DAMAGED:
		return SHADOW_NOT_WHOLE;
	case SHADOW_BUSY:
		return "another program holds the lock " PATH_LOCK;
	case SHADOW_FAILED:
		break;
	}
	/* ELOOP means here that the file, or the lock, is a symbolic link. */
	return errno == ELOOP ? "the file is a symbolic link" :
		strerror(errno);
}
