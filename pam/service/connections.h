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

/* Accepts some connections that wait at the listener. */
void connections_accept(struct service *s);

/* Serves the module that has started a private service. */
void connections_take(struct service *s, int fd);

/* Notes that the peer has sent a packet. */
void connections_heard(struct service *s, struct connection *c);

/*
 * Ends a connection.  Its worker must have ended, or have had no request.
 */
void connections_forget(struct service *s, struct connection *c);

/*
 * The module has gone.  A worker that nobody needs is told to end, and the
 * connection then ends with it.
 */
void connections_leave(struct service *s, struct connection *c);

/* The worker has ended, or is not needed any more. */
void connections_drop_worker(struct service *s, struct connection *c);

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
