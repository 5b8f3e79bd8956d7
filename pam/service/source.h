/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the source of a request.  A source chooses a queue, never a right. */
#ifndef PAM_LYRA2_SOURCE_H
#define PAM_LYRA2_SOURCE_H

#include "pam/protocol/request.h"

/*
 * Returns the owner of a user ID: the owner of its range in subuid(5), because
 * users can have many IDs, else the ID itself.
 */
uid_t source_owner(uid_t uid);

/*
 * Returns the source: the user who makes the request, by source_owner(); else
 * the remote host; else the account.
 */
uint64_t source_of(const struct request *req, uid_t owner);

/* Returns a number for the name of an account. */
uint64_t source_account(const char *name);

#endif
