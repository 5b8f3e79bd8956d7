/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends replies, and answers requests that need no hash. */
#ifndef PAM_LYRA2_ANSWER_H
#define PAM_LYRA2_ANSWER_H

#include "pam/protocol/request.h"

/* Sends a reply.  Ignores errors: the module may be gone. */
void answer_send(int fd, enum reply_kind kind, int number);

/* Answers OP_STATUS. */
void answer_status(int fd, const struct request *req);

/* Returns the days since 1970. */
long answer_today(void);

#endif
