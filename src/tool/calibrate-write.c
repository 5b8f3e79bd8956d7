/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the choice to a configuration file: see pam_lyra2.conf(5). */
#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "function.h"
#include "tool.h"

static const char remark[] = "# Chosen by lyra2 calibrate";

/* "cost" is another name for rows. */
static const char *const keys[] = {
	"version", "sponge", "t_cost", "rows", "cols", "lanes",
	"outer",
	"cost", "max_concurrent",
};

/* Whether the new choice replaces this line. */
static bool is_ours(const char *line)
{
	size_t i, n;

	if (strncmp(line, remark, sizeof(remark) - 1) == 0)
		return true;
	line += strspn(line, " \t\r\v\f");
	n = strcspn(line, "= \t\r\n\v\f#");
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i]) == n && strncmp(line, keys[i], n) == 0)
			return true;
	return false;
}

static int copy_others(FILE *out, FILE *old)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int error;

	while ((len = getline(&line, &size, old)) > 0) {
		if (is_ours(line))
			continue;
		fwrite(line, 1, (size_t)len, out);
		if (line[len - 1] != '\n')
			putc('\n', out);
	}
	error = errno;
	free(line);
	errno = error;
	return feof(old) ? 0 : -1;
}

static void put_choice(FILE *out, const struct choice *c)
{
	fprintf(out, "%s: %.1f ms and %" PRIu64 " KiB, %" PRIu32 " at once\n",
		remark, c->us / 1e3, lyra2_memory(&c->params) >> 10,
		c->parallel);
	function_print_conf(&c->params, out);
	fprintf(out, "max_concurrent = %" PRIu32 "\n", c->parallel);
}

static int fill(FILE *out, const struct choice *c, FILE *old)
{
	if (old && copy_others(out, old) < 0)
		return -1;
	put_choice(out, c);
	return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

/* What is to be replaced. */
struct target {
	char *path;		/* where links lead: they stay */
	FILE *old;		/* NULL: there is none yet */
	struct stat st;		/* of the old one */
};

/* O_NONBLOCK: opening a fifo must not wait for its writer. */
static const char *open_old(struct target *t)
{
	const int fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NOCTTY |
			    O_NOFOLLOW | O_NONBLOCK);
	const char *why = NULL;

	if (fd < 0 || fstat(fd, &t->st) < 0)
		why = strerror(errno);
	else if (!S_ISREG(t->st.st_mode))
		why = "not a regular file";
	else if (!(t->old = fdopen(fd, "r")))
		why = strerror(errno);
	if (why && fd >= 0)
		close(fd);
	return why;
}

/* Returns NULL, or a reason. */
static const char *open_target(struct target *t, const char *path)
{
	*t = (struct target){ .path = realpath(path, NULL) };
	if (t->path)
		return open_old(t);
	if (errno != ENOENT)
		return strerror(errno);
	if (lstat(path, &t->st) == 0)
		return "a link to no file";
	t->path = strdup(path);
	return t->path ? NULL : strerror(errno);
}

static void close_target(struct target *t)
{
	if (t->old)
		fclose(t->old);
	free(t->path);
}

/* Everyone may read a new file, as the module's own. */
static int make_temporary(const struct target *t, char *temporary)
{
	const mode_t mode = t->old ? t->st.st_mode & 07777 : 0644;
	const int fd = mkostemp(temporary, O_CLOEXEC);
	int error;

	if (fd < 0 || ((!t->old || fchown(fd, t->st.st_uid,
					  t->st.st_gid) == 0) &&
		       fchmod(fd, mode) == 0))
		return fd;
	error = errno;
	unlink(temporary);
	close(fd);
	errno = error;
	return -1;
}

/* Writes the new file under a temporary name; unlinks it if anything fails. */
static int replace(const struct choice *c, const struct target *t,
		   char *temporary)
{
	const int fd = make_temporary(t, temporary);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int error = 0;

	if (!out || (c && (fill(out, c, t->old) < 0 || fsync(fd) < 0)))
		error = errno;
	if (out) {
		if (fclose(out) == EOF && error == 0)
			error = errno;
	} else if (fd >= 0) {
		close(fd);
	}
	if (error == 0 && c && rename(temporary, t->path) < 0)
		error = errno;
	if (fd >= 0 && (error || !c))
		unlink(temporary);
	errno = error;
	return error ? -1 : 0;
}

/* An interrupt leaves no temporary file behind. */
static const char *replace_undisturbed(const struct choice *c,
				       const struct target *t)
{
	char temporary[4096];
	sigset_t all, old;
	int result;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", t->path) >=
	    (int)sizeof(temporary))
		return strerror(ENAMETOOLONG);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	result = replace(c, t, temporary);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return result < 0 ? strerror(errno) : NULL;
}

int calibrate_write(const struct choice *c, const char *path)
{
	struct target t;
	const char *why = open_target(&t, path);

	if (!why)
		why = replace_undisturbed(c, &t);
	close_target(&t);
	return why ? tool_error(TOOL_SYSTEM, "--write: %s: %s", path, why) :
		     TOOL_YES;
}
