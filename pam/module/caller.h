/* SPDX-License-Identifier: BSD-2-Clause */
/* On whose behalf the application asks, and from where. */
#ifndef PAM_LYRA2_CALLER_H
#define PAM_LYRA2_CALLER_H

#include <security/pam_modules.h>

#include "pam/protocol/request.h"

/* Fills in caller, tty and rhost. */
void caller_note(pam_handle_t *pamh, struct request *req);

#endif
