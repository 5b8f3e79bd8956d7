/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends answers from workers to modules when the brake allows it. */
#ifndef PAM_LYRA2_ANSWERS_H
#define PAM_LYRA2_ANSWERS_H

#include "service.h"

/* A worker has an answer, c->verdict. */
void answers_add(struct service *s, struct connection *c);

/* All modules have let the user in. */
void answers_admit(struct service *s, struct connection *c);

/* A connection whose answer waits ends. */
void answers_end(struct service *s, struct connection *c);

/* Returns true if a connection counts for rule 10 of service.h. */
bool answers_is_held(const struct connection *c);

/* Counts the connections of a source for that rule. */
void answers_hold(struct service *s, uint64_t source);

/* Sends the answers that may leave now. */
void answers_release(struct service *s);

/*
 * Returns the milliseconds until the next answer may leave, or -1 if none
 * waits.
 */
int64_t answers_wake(const struct service *s);

/* Tells users once if they have to wait for long. */
void answers_beat(struct service *s);

#endif
