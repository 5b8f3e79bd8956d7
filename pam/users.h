/* SPDX-License-Identifier: BSD-2-Clause */
/* users.h - what the system's databases say of one user. */
#ifndef PAM_LYRA2_USERS_H
#define PAM_LYRA2_USERS_H

#include <sys/types.h>

#include "account.h"

#define HASH_BYTES 512	/* longer than any string of crypt(3), 384 */

struct entry {
	uid_t uid;
	int shadowed;		/* the hash comes from shadow, not passwd */
	struct aging aging;
	char hash[HASH_BYTES];
};

/*
 * Fills *e through the name service: PAM_SUCCESS, PAM_USER_UNKNOWN, or
 * PAM_AUTHINFO_UNAVAIL where the shadow entry is missing or may not be read.
 * *e never holds a hash unless PAM_SUCCESS is returned.
 */
int users_find(const char *name, struct entry *e);

#endif
