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

#include <stdbool.h>
#include <stdio.h>

#include "stored.h"

struct options {
	struct policy policy;
	const char *conf;	/* points into argv, or to the default */
	char rehash_group[33];	/* whose members are rehashed; "": all */
	uint32_t method;	/* of new hashes: options_method() */
	uint32_t minlen;	/* bytes of a new password */
	uint32_t max_wait;	/* slapd: seconds for a slot; 0: default */
	uint32_t max_work;	/* slapd: in default hashes; 0: default */
	bool before_unix;
	bool nullok;
	bool no_pass_expiry;
	bool use_authtok;
	bool use_first_pass;
	bool nodelay;
	bool quiet;
	bool debug;
};

/* Gets each mistake as one line of text. */
typedef void options_complain(void *arg, const char *text);

/*
 * Fills *o from the words of the module line, the file and the defaults, and
 * calls complain(arg, text) for every mistake.
 */
void options_read(struct options *o, int argc, const char **argv,
		  options_complain *complain, void *arg);

/*
 * The same from an open file alone, which it closes.  NULL: it could not be
 * opened, and errno says why.
 */
void options_read_file(struct options *o, FILE *f, const char *path,
		       options_complain *complain, void *arg);

#endif
