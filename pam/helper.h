/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * helper.h - the module's side of a helper.
 *
 * Hashes and matrices exist in the helper only: the application's memory,
 * limits, signals and threads are its own business, and when memory runs out
 * the kernel kills the helper and not, say, sshd.
 */
#ifndef PAM_LYRA2_HELPER_H
#define PAM_LYRA2_HELPER_H

#include <security/pam_modules.h>

#include "options.h"
#include "request.h"

struct answer {
	int verdict;
	long days;	/* -1: nothing to say */
};

/* Fills in what every request has: operation, user and policy. */
void helper_request(struct request *req, enum op op, const char *user,
		    const struct options *o);

/*
 * Starts the helper that can do req, asks it, writes its log lines and waits
 * for its end.  Without a verdict it is "none".  The request is wiped.
 */
int helper_ask(pam_handle_t *pamh, const struct options *o,
	       struct request *req, int none, struct answer *answer);

#endif
