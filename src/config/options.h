/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module's options and its configuration file.
 *
 * Options on the module line override the file, and the file the defaults.  A
 * mistake in either is reported and ignored, so that it neither locks users
 * out nor lets anybody in.  See pam_lyra2(8) and pam_lyra2.conf(5).
 */
#ifndef LYRA2_OPTIONS_H
#define LYRA2_OPTIONS_H

#include <glob.h>

#include "options-table.h"

/*
 * The configuration files, in order: the vendor's, the administrator's, and
 * those of the directory beside it; for globfree(3).  Without memory or a
 * descriptor gl_pathv is NULL.
 */
void options_files(glob_t *files);

/*
 * Fills *o from the defaults and configuration files, a list up to NULL, which
 * need not exist.  The last line of a key counts.  Calls complain(arg, text)
 * for every mistake.  Fills *written, if it is not NULL, from the same lines.
 * Returns -1 if a file could not be read, or paths is NULL, which another try
 * may mend: nothing is rehashed by *o then.
 */
int options_read(struct options *o, char *const *paths,
		 struct options_written *written, options_complain *complain,
		 void *arg);

/* Fills *o from the words of the module's line.  All other fields are zero. */
void options_read_words(struct options *o, int argc, const char **argv,
			options_complain *complain, void *arg);

#endif
