/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts workers for requests, and reads what workers send. */
#ifndef PAM_LYRA2_WORKERS_H
#define PAM_LYRA2_WORKERS_H

#include "service.h"

/* Gives free slots to the requests whose turn it is. */
void workers_hand_out(struct service *s);

/* A worker has sent a packet, or has ended. */
void workers_hear(struct service *s, struct connection *c);

/* The module has the answer: its worker may rehash. */
void workers_got(struct connection *c);

/* A worker has ended, or must: its connection, too, if nothing is left. */
void workers_end_of(struct service *s, struct connection *c);

/* Tells all workers to end. */
void workers_end(struct service *s);

#endif
