/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - the module's options and its configuration file.
 *
 * Words on the module line win over the file, the file over the defaults.
 * Nothing that is wrong in either is fatal: it is reported and left out, so
 * that a slip of the administrator neither locks anyone out nor lets anyone
 * in.  See pam_lyra2(8) and pam_lyra2.conf(5).
 */
#ifndef PAM_LYRA2_OPTIONS_H
#define PAM_LYRA2_OPTIONS_H

#include "policy.h"

struct options {
	struct policy policy;
	const char *conf;	/* points into argv, or to the default */
	uint32_t minlen;
	uint32_t nullok;
	uint32_t use_authtok;
	uint32_t use_first_pass;
	uint32_t nodelay;
	uint32_t quiet;
	uint32_t debug;
};

/* Receives each complaint: one line of text. */
typedef void options_complain(void *arg, const char *text);

void options_read(struct options *o, int argc, const char **argv,
		  options_complain *complain, void *arg);

#endif
