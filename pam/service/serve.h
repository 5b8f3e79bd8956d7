/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service: connections, and who of them gets a hash.
 *
 * 1. It reads who asks and what, never a password.
 * 2. Who may not ask is told so, and nothing is started for it.
 * 3. A request waits once its second packet is there, and hears at once that
 *    it waits, then every second.
 * 4. Of the connections, and so of the workers, at most SERVE_USERS belong to
 *    processes that are neither root's nor of the group of /etc/shadow, and of
 *    each user SERVE_PER_USER; all user IDs without a name are one user.
 * 5. No source has more than a quarter of the places in the queue, and no more
 *    than half of the workers wait for a rehash.
 * 6. Where a connection or a descriptor is needed, the one that has been silent
 *    longest, and waits for nothing, goes; its module connects again.
 * 7. What fails because there is no memory or process is tried again.
 * 8. When it has to end, it sends those who wait to its successor, and lets
 *    workers finish.
 */
#ifndef PAM_LYRA2_SERVE_H
#define PAM_LYRA2_SERVE_H

#include "src/stored/policy.h"

#define SERVE_CONNECTIONS 2048
#define SERVE_WORKERS MAX_CONCURRENT
#define SERVE_USERS (SERVE_WORKERS / 2)
#define SERVE_PER_USER 16

/* Serves a socket that listens until SIGTERM.  Returns an exit status. */
int serve(int listening);

/* Sends a module the first packet of a conversation; 0, or -1 with errno. */
int serve_greet(int fd);

#endif
