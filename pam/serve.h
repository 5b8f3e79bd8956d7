/* SPDX-License-Identifier: BSD-2-Clause */
/* serve.h - what both helpers do: start safely, and answer the module. */
#ifndef PAM_LYRA2_SERVE_H
#define PAM_LYRA2_SERVE_H

#include "request.h"
#include "users.h"

/* What is known of the user, and the slot held for his hash. */
struct subject {
	int found;		/* PAM code of users_find() */
	int slot;		/* of admit_enter(), or -1 */
	struct entry entry;
};

/*
 * Empties the environment, resets what the caller set up (signals, limits,
 * timers) and refuses to run by hand: exits unless standard input is a socket
 * and there are no arguments.
 */
void serve_start(int argc);

/*
 * Gives up every privilege for good.  Exits unless it is sure that none can
 * be had back.
 */
void serve_drop_privileges(void);

/* Reads the one request; 0, or -1. */
int serve_read(struct request *req);

/*
 * Looks the user up, and for what needs a hash waits for a slot; where that
 * takes too long a verdict is sent and -1 returned.
 */
int serve_find(const struct request *req, struct subject *s);

/*
 * Answer OP_VERIFY, OP_BLANK and OP_ACCOUNT.  A verdict is sent; the same is
 * returned.
 */
int serve_verify(const struct request *req, const struct subject *s);
void serve_blank(const struct subject *s);
void serve_account(const struct subject *s);

long serve_today(void);

/* Single replies. */
void serve_verdict(int code);
void serve_days(long days);
__attribute__((format(printf, 2, 3)))
void serve_log(int priority, const char *format, ...);
void serve_end(void);

#endif
