/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Looks one user up in /etc/passwd and /etc/shadow.
 *
 * The service reads the two files itself: it never asks the name service,
 * whose sources may be far away, or wait for a login themselves.  lyra2 audit
 * reads them here too, so that it predicts what the service does.
 */
#ifndef PAM_LYRA2_ENTRY_H
#define PAM_LYRA2_ENTRY_H

#include "aging.h"
#include "group.h"
#include "shadow-line.h"
#include "src/stored/policy.h"

#define HASH_BYTES 512	/* longer than any string of crypt(3), 384 */

struct entry {
	int passwd;		/* PAM code of passwd_find() */
	uid_t uid;
	gid_t gid;
	struct aging aging;
	char hash[HASH_BYTES];
	struct stored stored;	/* the hash, read */
	const char *damage;	/* why there is no hash, or NULL */
	char reason[LINES_REASON];
};

/*
 * Fills *e.  Returns PAM_SUCCESS; PAM_USER_UNKNOWN if /etc/passwd does not have
 * the user, or does not say that the hash is in /etc/shadow; or
 * PAM_AUTHINFO_UNAVAIL if a file cannot be read, or the user's line in
 * /etc/shadow is missing or must be refused.  The line that libc sees counts.
 * The hash and the aging hold only with PAM_SUCCESS, passwd always.
 */
int entry_find(const char *name, struct entry *e);

/*
 * Reads the hash and the aging of a line of shadow(5).  Returns PAM_SUCCESS; or
 * with e->damage PAM_IGNORE if libc does not see the line, and
 * PAM_AUTHINFO_UNAVAIL if it must be refused.
 */
int entry_read(const struct lines *l, const struct piece *line,
	       struct entry *e);

/*
 * Returns what the policy needs to know besides the hash, except the password.
 */
struct account entry_account(const struct entry *e, const char *name,
			     const struct group *g, long today);

#endif
