/* SPDX-License-Identifier: BSD-2-Clause */
/* On whose account a request waits.  It chooses a queue, never a right. */
#ifndef PAM_LYRA2_SOURCE_H
#define PAM_LYRA2_SOURCE_H

#include "pam/protocol/request.h"

/*
 * The user at whose request it is asked; else the remote host; else the
 * account.  User IDs without a name are one source: users can have many, see
 * subuid(5).
 */
uint64_t source_of(const struct request *req);

/* A number for a name. */
uint64_t source_account(const char *name);

#endif
