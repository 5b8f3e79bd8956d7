/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which hashes the system's own passwd(1) makes: what pam_unix(8) finds in
 * login.defs(5), unless its own line says something else.
 */
#ifndef LYRA2_LOGIN_DEFS_H
#define LYRA2_LOGIN_DEFS_H

#include <stdint.h>
#include <stdio.h>

struct login_defs {
	const char *method;	/* by its name here, or NULL if it has none */
	uint32_t cost;		/* of that method; 0: the default */
	int rounds, factor;	/* SHA_CRYPT_MAX_ROUNDS, YESCRYPT_COST_FACTOR;
				   -1: not given */
};

/* Reads login.defs.  See ferror(3) after it. */
void login_defs_read(FILE *f, struct login_defs *defs);

/*
 * Reads a file of PAM.  The words of its first line of pam_unix for passwords
 * replace what *defs has.
 */
void login_defs_read_line(FILE *f, struct login_defs *defs);

#endif
