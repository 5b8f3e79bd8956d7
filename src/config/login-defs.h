/* SPDX-License-Identifier: BSD-2-Clause */
/* What login.defs(5) says of new hashes, as pam_unix(8) reads it. */
#ifndef LYRA2_LOGIN_DEFS_H
#define LYRA2_LOGIN_DEFS_H

#include <stdint.h>
#include <stdio.h>

struct login_defs {
	const char *method;	/* by its name here, or NULL if it has none */
	uint32_t cost;		/* of that method; 0: the default */
};

/* Reads the file.  See ferror(3) after it. */
void login_defs_read(FILE *f, struct login_defs *defs);

#endif
