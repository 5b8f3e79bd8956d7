/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the lines of large account files begin, so that the service does not
 * read those of 100,000 users for one.
 *
 * They are kept while the file is the same one.  One that has just changed is
 * read as a whole: its times may not tell the next change from the last.
 */
#ifndef PAM_LYRA2_PLACES_H
#define PAM_LYRA2_PLACES_H

#include "lines.h"

#define PLACES_BYTES 65536	/* smaller files are read as a whole */
#define PLACES_LINES (1 << 18)	/* so are those with more lines */
#define PLACES_SECONDS 3	/* since the last change */

/* From now on.  For programs without threads; else they are never kept. */
void places_keep(void);

/*
 * What lines_find() does with a file from its start.  For each way to see
 * blanks, the places of one file are kept.
 */
bool places_find(struct lines *l, const char *name, enum lines_blanks blanks,
		 struct piece *line);

#endif
