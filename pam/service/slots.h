/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts workers for requests, and reads what workers send. */
#ifndef PAM_LYRA2_SLOTS_H
#define PAM_LYRA2_SLOTS_H

#include "service.h"

/* Gives free slots to the requests whose turn it is. */
void slots_hand_out(struct service *s);

/* The worker of a WORKING connection has sent a packet, or has ended. */
void slots_hear(struct service *s, struct connection *c);

/* Some workers have ended. */
void slots_reap(struct service *s);

/* Tells all workers to end. */
void slots_end(struct service *s);

#endif
