/* SPDX-License-Identifier: BSD-2-Clause */
/* The administrator's configuration. */
#include "configuration.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "pam/work/log.h"
#include "src/config/paths.h"

static struct options options;

bool version_changed(struct version *had, const char *path)
{
	struct version now;
	struct stat st;
	bool is;

	memset(&now, 0, sizeof(now));
	if (stat(path, &st) == 0) {
		now.dev = st.st_dev;
		now.ino = st.st_ino;
		now.size = st.st_size;
		now.changed = st.st_ctim;
	}
	is = memcmp(&now, had, sizeof(now)) != 0;
	memcpy(had, &now, sizeof(now));
	return is;
}

static void complain(void *arg, const char *text)
{
	const bool *again = arg;

	if (!*again)
		log_line(LOG_ERR, "%s", text);
}

/*
 * Returns true if a file has changed since the last call, by FNV-1a of stat(2).
 */
static bool files_changed(char *const *paths)
{
	static uint64_t had;
	uint64_t now = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (; paths && *paths; paths++) {
		struct version v;

		memset(&v, 0, sizeof(v));
		errno = 0;
		(void)version_changed(&v, *paths);
		v.size -= errno;
		for (i = 0; i < sizeof(v); i++)
			now = (now ^ ((const unsigned char *)&v)[i]) *
				UINT64_C(0x100000001b3);
	}
	if (now == had)
		return false;
	had = now;
	return true;
}

/* Returns true if one of the files of method = system has changed. */
static bool system_changed(void)
{
	static const char *const paths[] = {
		PATH_LOGIN_DEFS, PATH_UNIX_LINE, PATH_UNIX_LINE_2
	};
	static struct version had[sizeof(paths) / sizeof(paths[0])];
	bool changed = false;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		changed = version_changed(&had[i], paths[i]) || changed;
	return changed;
}

/*
 * After an error that may pass, the next request reads the files again.  Until
 * then the earlier configuration holds, but no hash is replaced.
 */
const struct options *configuration(void)
{
	static bool known, failed;
	struct options new;
	bool changed, again;
	glob_t files;

	options_files(&files);
	changed = system_changed();
	changed = files_changed(files.gl_pathv) || changed;
	if (!known || changed || failed) {
		again = failed && !changed;
		failed = options_read(&new, files.gl_pathv, NULL, complain,
				      &again) < 0;
		if (!failed || !known)
			options = new;
		else
			options.policy.rehash = REHASH_NEVER;
		known = true;
	}
	if (files.gl_pathv)
		globfree(&files);
	return &options;
}

/* sysconf(3) reads a file, and at least two slots are there without it. */
bool configuration_has_slot(unsigned taken)
{
	const unsigned most = options.policy.max_concurrent;

	if (most > 0)
		return taken < most;
	return taken < 2 || (long)taken < sysconf(_SC_NPROCESSORS_ONLN);
}
