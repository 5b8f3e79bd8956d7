/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections of lyra2d: who comes in, who has to go. */
#ifndef PAM_LYRA2_CONNECTIONS_H
#define PAM_LYRA2_CONNECTIONS_H

#include "service.h"

/* What a module has sent and nobody has read; an empty packet is an end. */
enum inbox { INBOX_EMPTY, INBOX_PACKET, INBOX_END };

enum inbox connections_look(int fd);

/* Sends a module the first packet of a conversation; 0, or -1 with errno. */
int connections_greet(int fd);

/* Takes some that wait at the listener. */
void connections_accept(struct service *s);

/* Notes that the peer has said something. */
void connections_heard(struct service *s, struct connection *c);

/* Ends a connection, whatever its state. */
void connections_forget(struct service *s, struct connection *c);

/* Ends the one that has been silent longest; false if there is none. */
bool connections_forget_silent(struct service *s);

/* Ends those that have been silent for too long. */
void connections_expire(struct service *s);

/* Whether there is no room, and nobody who can go. */
bool connections_full(const struct service *s);

#endif
