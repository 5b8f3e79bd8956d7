/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the user that the application asks for, and the terminal or host. */
#ifndef PAM_LYRA2_CALLER_H
#define PAM_LYRA2_CALLER_H

#include <security/pam_modules.h>

#include "pam/protocol/request.h"

/* Sets the caller, terminal, host and PAM service of a request. */
void caller_note(pam_handle_t *pamh, struct request *req);

#endif
