/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replace.h - puts new contents in the place of a file, all or nothing.
 */
#ifndef PAM_LYRA2_REPLACE_H
#define PAM_LYRA2_REPLACE_H

#include <sys/stat.h>

#include "shadow-line.h"

struct replace {
	int dir;		/* its directory */
	int fd;			/* the old file, open for reading */
	struct stat st;		/* of the old file */
	const char *name;
};

/* Opens a regular file, never through a link; 0, or -1 with errno. */
int replace_open(struct replace *r, const char *dir, const char *name);

/*
 * Writes the pieces to a new file with the attributes of the old one and
 * renames it over the old one.  0, or -1 with errno: the old file stands.
 */
int replace_file(const struct replace *r, const struct piece *pieces,
		 size_t count);

/* Keeps errno. */
void replace_close(struct replace *r);

#endif
