/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers on the way from a worker to its module: when each may leave. */
#ifndef PAM_LYRA2_ANSWERS_H
#define PAM_LYRA2_ANSWERS_H

#include "service.h"

/* Opens the file of the brake; without it levels end with the process. */
void answers_open(struct service *s);

/* Whether the answer to a request has to pass the brake. */
bool answers_braked(const struct connection *c);

/* A worker has an answer.  own: the account is that of the caller. */
void answers_add(struct service *s, struct connection *c, bool right, bool own);

/* A new password is hashed, and waits for the lock of the file. */
void answers_stores(struct service *s, struct connection *c);

/* All modules have let the user in. */
void answers_free(struct service *s, struct connection *c);

/* The connection ends. */
void answers_end(struct service *s, struct connection *c);

/* Lets those leave that may. */
void answers_release(struct service *s);

/* In how many milliseconds the next may leave; -1: none waits. */
int64_t answers_wake(struct service *s);

/* Tells users who wait for long, once. */
void answers_comfort(struct service *s);

#endif
