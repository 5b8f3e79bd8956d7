/* SPDX-License-Identifier: BSD-2-Clause */
/* On whose account a request waits.  It chooses a queue, never a right. */
#ifndef PAM_LYRA2_SOURCE_H
#define PAM_LYRA2_SOURCE_H

#include "pam/protocol/request.h"

/*
 * The owner of a user ID: the one of its range in subuid(5), as users can have
 * many IDs; else the ID itself.
 */
uid_t source_owner(uid_t uid);

/*
 * The user at whose request it is asked, of source_owner(); else the remote
 * host; else the account.
 */
uint64_t source_of(const struct request *req, uid_t owner);

/* A number for a name. */
uint64_t source_account(const char *name);

#endif
