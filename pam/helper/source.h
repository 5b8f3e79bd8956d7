/* SPDX-License-Identifier: BSD-2-Clause */
/* On whose account a request waits. */
#ifndef PAM_LYRA2_SOURCE_H
#define PAM_LYRA2_SOURCE_H

#include <stdint.h>

#include "pam/request.h"

/*
 * Returns a number for the source of a request: the user who runs the program,
 * if that is not root; for root's services the host that asks, or else the
 * account, at a terminal or not.  An account is its name, so that nobody learns
 * which ones exist.
 */
int64_t source_of(const struct request *req);

#endif
