/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends answers from workers to modules when the brake allows it. */
#ifndef PAM_LYRA2_ANSWERS_H
#define PAM_LYRA2_ANSWERS_H

#include "service.h"

/* Opens the file of the brake.  Without it, levels end with the process. */
void answers_open(struct service *s);

/* Returns true if the answer to a request has to pass the brake. */
bool answers_braked(const struct connection *c);

/* A worker has an answer.  own: the account is the caller's own. */
void answers_add(struct service *s, struct connection *c, bool right, bool own);

/* A new password is hashed, and waits for the lock of the file. */
void answers_stores(struct service *s, struct connection *c);

/* All modules have let the user in. */
void answers_free(struct service *s, struct connection *c);

/* The connection ends. */
void answers_end(struct service *s, struct connection *c);

/* Sends the answers that may leave now. */
void answers_release(struct service *s);

/*
 * Returns the milliseconds until the next answer may leave, or -1 if none
 * waits.
 */
int64_t answers_wake(struct service *s);

/* Tells users once if they have to wait for long. */
void answers_comfort(struct service *s);

#endif
