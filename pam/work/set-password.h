/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets a new password, once the old one is verified. */
#ifndef PAM_LYRA2_SET_PASSWORD_H
#define PAM_LYRA2_SET_PASSWORD_H

#include "job.h"

/* Answers OP_SET. */
void set_password(struct job *job);

#endif
