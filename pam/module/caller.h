/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the user that the application asks for, and the terminal or host. */
#ifndef PAM_LYRA2_CALLER_H
#define PAM_LYRA2_CALLER_H

#include <security/pam_modules.h>

#include "pam/protocol/request.h"

/* Sets req->caller, req->tty and req->rhost. */
void caller_note(pam_handle_t *pamh, struct request *req);

#endif
