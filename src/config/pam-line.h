/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of PAM's files, as libpam 1.7 reads them: pam.conf(5). */
#ifndef LYRA2_PAM_LINE_H
#define LYRA2_PAM_LINE_H

#include <stdbool.h>

/*
 * Returns the next line of *text without its comment, or NULL at the end, and
 * moves *text on.  A line that ends in a backslash goes on in the next one;
 * blanks may follow the backslash.  (Before libpam 1.7 it goes on behind lines
 * that are empty, or comments.)
 */
char *pam_line_next(char **text);

/*
 * Returns the next word of *line, or NULL at its end, and moves *line on.  A
 * word in brackets may have blanks, and comes without the brackets.
 */
char *pam_line_word(char **line);

/* Whether the type of a line, such as "-auth", is this one. */
bool pam_line_is(const char *type, const char *wanted);

/* Returns the name of a module without its directories. */
const char *pam_line_module(const char *path);

#endif
