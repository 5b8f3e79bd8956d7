/* SPDX-License-Identifier: BSD-2-Clause */
/* Which PAM services name the module, as libpam reads their files. */
#ifndef LYRA2_TOOL_SERVICES_H
#define LYRA2_TOOL_SERVICES_H

#include "names.h"

struct services {
	struct names with;	/* the module verifies passwords */
	struct names without;	/* pam_unix does, and the module is not asked */
	struct names broken;	/* they name the module, but it is not there */
};

/*
 * Reads the auth lines of each service in /etc/pam.d and the vendor's
 * directories, or in /etc/pam.conf.  Which line decides for a user is not
 * known, only which modules are there.  Returns -1 without memory.
 */
int services_read(struct services *s);

void services_free(struct services *s);

#endif
