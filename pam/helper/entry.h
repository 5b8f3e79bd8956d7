/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks one user up in the system's databases. */
#ifndef PAM_LYRA2_ENTRY_H
#define PAM_LYRA2_ENTRY_H

#include <stdbool.h>
#include <sys/types.h>

#include "pam/aging.h"
#include "src/stored/stored.h"

#define HASH_BYTES 512	/* longer than any string of crypt(3), 384 */

struct entry {
	uid_t uid;
	bool shadowed;		/* the hash comes from shadow, not passwd */
	struct aging aging;
	char hash[HASH_BYTES];
	struct stored stored;	/* the hash, read */
};

/*
 * Fills *e through the name service.  Returns PAM_SUCCESS, PAM_USER_UNKNOWN,
 * or PAM_AUTHINFO_UNAVAIL if the name service fails, or if the shadow entry is
 * missing or may not be read.
 * *e holds no hash unless PAM_SUCCESS is returned.
 */
int entry_find(const char *name, struct entry *e);

#endif
