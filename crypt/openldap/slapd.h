/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface between slapd and a password module.
 *
 * OpenLDAP declares these in its own source tree, in files that nobody
 * installs (include/lutil.h, and the module loader of servers/slapd/module.c
 * for the last two); tests/system/slapd-interface.c compares the two.  The
 * module takes the functions from the slapd that loads it, which exports all
 * its symbols for that purpose, and is linked with no library of OpenLDAP: so
 * it always uses the memory allocator of that slapd.
 */
#ifndef PW_LYRA2_SLAPD_H
#define PW_LYRA2_SLAPD_H

#include <lber.h>

#pragma GCC visibility push(default)

enum { SLAPD_OK = 0, SLAPD_ERR = -1 };	/* LUTIL_PASSWD_OK, _ERR */

/*
 * Compares the password of a client, cred, with a stored value without its
 * "{SCHEME}", passwd.  Returns SLAPD_OK only if it is the password.  slapd
 * would send the text to the client.
 */
typedef int slapd_check_fn(const struct berval *scheme,
			   const struct berval *passwd,
			   const struct berval *cred, const char **text);

/*
 * Writes "{SCHEME}..." for a new password to *hash, in memory of
 * ber_memalloc().  Returns SLAPD_OK, or SLAPD_ERR with *hash as it was; the
 * text, a constant, is then sent to the client.
 */
typedef int slapd_hash_fn(const struct berval *scheme,
			  const struct berval *passwd, struct berval *hash,
			  const char **text);

/* Makes a scheme known for as long as slapd runs.  Returns 0 or -1. */
extern int lutil_passwd_add(struct berval *scheme, slapd_check_fn *check,
			    slapd_hash_fn *hash);

/*
 * slapd calls init_module() when it loads the module, with the module's
 * arguments, and does not load it if that returns -1.  It calls term_module()
 * when it ends.
 */
extern int init_module(int argc, char *argv[]);
extern int term_module(void);

#pragma GCC visibility pop
#endif
