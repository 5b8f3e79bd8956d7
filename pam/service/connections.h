/* SPDX-License-Identifier: BSD-2-Clause */
/* Accepts connections of lyra2d, and ends them. */
#ifndef PAM_LYRA2_CONNECTIONS_H
#define PAM_LYRA2_CONNECTIONS_H

#include "service.h"

/*
 * What a module has sent and is not read yet.  An empty packet counts as the
 * end.
 */
enum inbox { INBOX_EMPTY, INBOX_PACKET, INBOX_END };

enum inbox connections_look(int fd);

/* Sends a module the first packet, hello.  Returns 0, or -1 with errno. */
int connections_greet(int fd, const struct options *o);

/* Accepts some connections that wait at the listener. */
void connections_accept(struct service *s);

/* Notes that the peer has sent a packet. */
void connections_heard(struct service *s, struct connection *c);

/* Ends a connection, whatever its state. */
void connections_forget(struct service *s, struct connection *c);

/*
 * Ends the connection that has been silent longest.  Returns false if there is
 * none.
 */
bool connections_forget_silent(struct service *s);

/* Ends connections that have been silent for too long. */
void connections_expire(struct service *s);

/* Returns true if there is no room, and no connection can be ended. */
bool connections_full(const struct service *s);

#endif
