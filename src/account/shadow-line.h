/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the one line of a user in the bytes of shadow(5).
 *
 * Files hold comments, blanks and garbage that must be preserved, so a change
 * is a list of pieces: bytes of the old file and the new fields.
 */
#ifndef PAM_LYRA2_SHADOW_LINE_H
#define PAM_LYRA2_SHADOW_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct piece {
	const char *at;
	size_t len;
};

/*
 * Returns how many lines begin with the user's name and a colon.  *line is the
 * last of them, without its newline.
 */
size_t shadow_line_find(const char *file, size_t len, const char *user,
			struct piece *line);

/*
 * Whether it has the nine fields of shadow(5), and no byte that an editor of
 * another system, or a disk, has put there.
 */
bool shadow_line_whole(const struct piece *line);

/* Field n of a line, counted from 0.  Returns -1 if the line is too short. */
int shadow_line_field(const struct piece *line, size_t n, struct piece *field);

#endif
