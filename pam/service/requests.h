/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests: what a connection asks, until it waits in the queue. */
#ifndef PAM_LYRA2_REQUESTS_H
#define PAM_LYRA2_REQUESTS_H

#include "service.h"

/* A TALKING or HALF connection has sent something, or has gone. */
void requests_hear(struct service *s, struct connection *c);

/* Looks at the oldest header of each source. */
void requests_look(struct service *s);

/*
 * Puts it in the queue, which may be full: then another one goes, or this
 * returns -1.  again: its worker waits for another slot.
 */
int requests_enqueue(struct service *s, struct connection *c, bool again);

/* Tells all that wait that the service lives. */
void requests_comfort(struct service *s);

#endif
