/* SPDX-License-Identifier: BSD-2-Clause */
/* What both helpers do: read the one request and answer it. */
#ifndef PAM_LYRA2_ANSWER_H
#define PAM_LYRA2_ANSWER_H

#include <stdbool.h>

#include "entry.h"
#include "pam/request.h"

/*
 * What is known about the user.  All of it is looked up before the password is
 * verified, so that the verdict cannot be guessed from the files opened later.
 */
struct subject {
	int found;		/* PAM code of entry_find() */
	int passwd;		/* PAM code of passwd_user() */
	struct entry entry;
};

/*
 * Reads the one request and calls answer for it.  Ends the conversation if
 * that returns true; false means that another process will.  Returns the exit
 * status of the helper.
 */
int answer_one(bool (*answer)(const struct request *req));

/*
 * Looks the user up and, if a hash is to be computed, waits for a slot.
 * Returns PAM_CRED_UNAVAIL if it must not be computed.
 */
int answer_find(const struct request *req, struct subject *s);

/*
 * Answer OP_VERIFY, OP_BLANK and OP_ACCOUNT.  A failure is logged before the
 * verdict is sent.  answer_verify() returns whether the password is right and
 * the module knows it.
 */
bool answer_verify(const struct request *req, const struct subject *s);
void answer_blank(const struct subject *s);
void answer_account(const struct subject *s);

long answer_today(void);

/* Single replies. */
void answer_verdict(int code);
void answer_days(long days);
__attribute__((format(printf, 2, 3)))
void answer_log(int priority, const char *format, ...);

#endif
