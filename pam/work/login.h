/* SPDX-License-Identifier: BSD-2-Clause */
/* Verifies a password for a login, and replaces its hash afterwards. */
#ifndef PAM_LYRA2_LOGIN_H
#define PAM_LYRA2_LOGIN_H

#include "job.h"

/* Answers OP_VERIFY. */
void login_verify(struct job *job);

#endif
