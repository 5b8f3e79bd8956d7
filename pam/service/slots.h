/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots: which requests are worked at, and what their workers say. */
#ifndef PAM_LYRA2_SLOTS_H
#define PAM_LYRA2_SLOTS_H

#include "service.h"

/* Those whose turn it is get a slot, as long as there are any. */
void slots_hand_out(struct service *s);

/* The worker of a WORKING connection has said something, or has ended. */
void slots_hear(struct service *s, struct connection *c);

/* Some workers have ended. */
void slots_reap(struct service *s);

/* Tells all workers to end. */
void slots_end(struct service *s);

#endif
