/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads requests, and puts them into the queue. */
#ifndef PAM_LYRA2_REQUESTS_H
#define PAM_LYRA2_REQUESTS_H

#include "service.h"

/* A TALKING or HALF connection has sent a packet, or has ended. */
void requests_hear(struct service *s, struct connection *c);

/* Looks at the oldest header of each source. */
void requests_look(struct service *s);

/*
 * Puts a request into the queue.  If the queue is full, another request loses
 * its place, or this returns -1.  again: the worker waits for another slot.
 */
int requests_enqueue(struct service *s, struct connection *c, bool again);

/* Tells all waiting modules that the service lives. */
void requests_beat(const struct service *s);

#endif
