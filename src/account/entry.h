/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Looks one user up in /etc/passwd and /etc/shadow.
 *
 * The service reads the two files itself: it never asks the name service,
 * whose sources may be far away, or wait for a login themselves.
 */
#ifndef PAM_LYRA2_ENTRY_H
#define PAM_LYRA2_ENTRY_H

#include <stdbool.h>
#include <sys/types.h>

#include "aging.h"
#include "src/stored/stored.h"

#define HASH_BYTES 512	/* longer than any string of crypt(3), 384 */

struct entry {
	int passwd;		/* PAM code of passwd_find() */
	uid_t uid;
	gid_t gid;
	struct aging aging;
	char hash[HASH_BYTES];
	struct stored stored;	/* the hash, read */
	const char *damage;	/* what is wrong with the line, or NULL */
};

/*
 * Fills *e.  Returns PAM_SUCCESS; PAM_USER_UNKNOWN if /etc/passwd does not have
 * the user, or does not say that the hash is in /etc/shadow; or
 * PAM_AUTHINFO_UNAVAIL if a file cannot be read, or /etc/shadow has no line of
 * the user, or a damaged one.  The first line counts, as for libc.  The hash
 * and the aging hold only with PAM_SUCCESS, passwd always.
 */
int entry_find(const char *name, struct entry *e);

#endif
