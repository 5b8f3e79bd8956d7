/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the lines of large account files begin, so that the service does not
 * read the lines of 100,000 users to find one.  The places are kept while the
 * file does not change.  A file that has just changed is read as a whole,
 * because its times may not show the next change.
 */
#ifndef PAM_LYRA2_PLACES_H
#define PAM_LYRA2_PLACES_H

#include "lines.h"

#define PLACES_BYTES 65536	/* smaller files are read as a whole */
#define PLACES_LINES (1 << 18)	/* so are those with more lines */
#define PLACES_SECONDS 3	/* since the last change */

/*
 * Keeps places from now on.  For programs without threads; in others they are
 * never kept.
 */
void places_keep(void);

/*
 * Does what lines_find() does with a file from its start.  For each value of
 * enum lines_blanks, the places of one file are kept.
 */
bool places_find(struct lines *l, const char *name, enum lines_blanks blanks,
		 struct piece *line);

#endif
