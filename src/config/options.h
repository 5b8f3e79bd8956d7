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

#include "options-table.h"

/*
 * Fills *o from the defaults and a configuration file, which need not exist,
 * and calls complain(arg, text) for every mistake.  Returns -1 if a file could
 * not be read, which another try may do: nothing is rehashed by *o then.
 */
int options_read(struct options *o, const char *path,
		 options_complain *complain, void *arg);

/* Fills *o from the words of the module line alone; all else is zero. */
void options_read_words(struct options *o, int argc, const char **argv,
			options_complain *complain, void *arg);

#endif
