/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the source of a request.  A source chooses a queue, never a right. */
#ifndef PAM_LYRA2_SOURCE_H
#define PAM_LYRA2_SOURCE_H

#include "pam/protocol/request.h"

/*
 * Returns the source: the user who makes the request; else the remote host;
 * else the account.
 */
uint64_t source_of(const struct request *req);

/* Returns a number for the name of an account. */
uint64_t source_account(const char *name);

#endif
