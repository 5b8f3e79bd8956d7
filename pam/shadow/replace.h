/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Replaces the contents of a file atomically.
 */
#ifndef PAM_LYRA2_REPLACE_H
#define PAM_LYRA2_REPLACE_H

#include <sys/stat.h>

#include "src/account/lines.h"

struct replace {
	int dir;		/* its directory */
	int fd;			/* the old file, open for reading */
	struct stat st;		/* of the old file */
	const char *name;
};

/* Opens a regular file, never through a link; 0, or -1 with errno. */
int replace_open(struct replace *r, const char *dir, const char *name);

/*
 * Checks whether the file could be replaced, as far as this is known without
 * trying: not in a read-only directory, nor if it is a mount point or
 * immutable.  Returns 0, or -1 with errno.
 */
int replace_possible(const struct replace *r);

/*
 * Writes the pieces to a new file with the attributes of the old one and
 * renames it over the old one.  Returns 0, or -1 with errno, and then the old
 * file is unchanged.
 */
int replace_file(const struct replace *r, const struct piece *pieces,
		 size_t count);

/* Closes the file and its directory.  Keeps errno. */
void replace_close(struct replace *r);

#endif
