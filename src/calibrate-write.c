/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice becomes /etc/security/pam_lyra2.conf: see pam_lyra2.conf(5). */
#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char remark[] = "# Chosen by lyra2 calibrate";

/* "cost" is another name for rows. */
static const char *const keys[] = {
	"version", "sponge", "rotation", "t_cost", "rows", "cols", "lanes",
	"cost", "max_concurrent",
};

/* Whether the new choice takes this line's place. */
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

static void copy_others(FILE *out, FILE *old)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	while ((len = getline(&line, &size, old)) > 0) {
		if (is_ours(line))
			continue;
		fputs(line, out);
		if (line[len - 1] != '\n')
			putc('\n', out);
	}
	free(line);
}

static void put_choice(FILE *out, const struct choice *c)
{
	const struct lyra2_params *p = &c->params;

	fprintf(out, "%s: %.1f ms and %" PRIu64 " KiB, %" PRIu32 " at once\n"
		"version = %s\nsponge = %s\nrotation = %" PRIu32
		"\nt_cost = %" PRIu32 "\nrows = %" PRIu32 "\ncols = %" PRIu32
		"\nlanes = %" PRIu32 "\nmax_concurrent = %" PRIu32 "\n",
		remark, c->us / 1e3, lyra2_memory(p) >> 10, c->parallel,
		p->version == 25 ? "2.5" : "3", tool_sponge(p->sponge),
		p->rotation, p->t_cost, p->rows, p->cols, p->lanes,
		c->parallel);
}

/* No file yet: nothing to keep. */
static int fill(FILE *out, const struct choice *c, const char *path)
{
	FILE *old = fopen(path, "re");

	if (!old && errno != ENOENT)
		return -1;
	if (old) {
		bool failed;

		copy_others(out, old);
		failed = ferror(old);
		fclose(old);
		if (failed) {
			errno = EIO;
			return -1;
		}
	}
	put_choice(out, c);
	return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

/* The new file under a name of its own; unlinked again if anything fails. */
static int replace(const struct choice *c, const char *path, char *temporary)
{
	const int fd = mkostemp(temporary, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int error = 0;

	if (!out || fill(out, c, path) < 0 || fchmod(fd, 0644) < 0 ||
	    fsync(fd) < 0)
		error = errno;
	if (out) {
		if (fclose(out) == EOF && error == 0)
			error = errno;
	} else if (fd >= 0) {
		close(fd);
	}
	if (error == 0 && rename(temporary, path) < 0)
		error = errno;
	if (error && fd >= 0)
		unlink(temporary);
	errno = error;
	return error ? -1 : 0;
}

int calibrate_write(const struct choice *c, const char *path)
{
	char temporary[4096];
	sigset_t all, old;
	int result;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    (int)sizeof(temporary))
		return tool_error(TOOL_INPUT, "--write: the name is too long");
	/* Nobody who interrupts leaves a temporary file behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	result = replace(c, path, temporary);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (result < 0)
		return tool_error(TOOL_SYSTEM, "--write: %s: %s", path,
				  strerror(errno));
	return TOOL_YES;
}
