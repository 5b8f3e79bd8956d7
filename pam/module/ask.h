/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The module's side of a helper.
 *
 * Hashes and matrices exist only in the helper, so the application's memory,
 * limits, signals and threads do not matter, and if memory runs out, the
 * kernel kills the helper and not, for example, sshd.
 */
#ifndef PAM_LYRA2_ASK_H
#define PAM_LYRA2_ASK_H

#include <security/pam_modules.h>

#include "pam/request.h"
#include "src/stored/options.h"

struct answer {
	int verdict;
	long days;	/* -1: nothing to say */
};

/* Fills in what every request has: operation, user and policy. */
void ask_request(struct request *req, enum op op, const char *user,
		 const struct options *o);

/*
 * Starts the helper that can do req, sends it req and writes its log lines.
 * Waits until it exits, but at most a second after its verdict.  Returns the
 * verdict, or fallback if there was none.  Wipes the request.
 */
int ask_helper(pam_handle_t *pamh, const struct options *o,
	       struct request *req, int fallback,
	       struct answer *answer);

#endif
