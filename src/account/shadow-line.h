/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the one line of a user in the bytes of shadow(5).
 *
 * Files hold comments, blanks and garbage that must be preserved, so a change
 * is a list of pieces: bytes of the old file and the new fields.
 */
#ifndef PAM_LYRA2_SHADOW_LINE_H
#define PAM_LYRA2_SHADOW_LINE_H

#include "lines.h"
#include "src/config/paths.h"

/* The reason that the writer gives if it leaves a user's entry unchanged. */
#define SHADOW_TWICE PATH_SHADOW " has more than one line of that user"
#define SHADOW_NOT_WHOLE PATH_SHADOW " has a damaged line of that user: nine " \
	"fields are needed, and no carriage return"

/*
 * Returns how many lines begin with the user's name and a colon.  *line is the
 * last of them, without its newline.
 */
size_t shadow_line_find(const char *file, size_t len, const char *user,
			struct piece *line);

/*
 * Returns true if the line has the nine fields of shadow(5), and no byte that
 * another system's editor or a faulty disk has put there.
 */
bool shadow_line_whole(const struct piece *line);

#endif
