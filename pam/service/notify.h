/* SPDX-License-Identifier: BSD-2-Clause */
/* What the service tells its supervisor, by the protocol of sd_notify(3). */
#ifndef PAM_LYRA2_NOTIFY_H
#define PAM_LYRA2_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads the supervisor's address, and whether it wants signs of life, from the
 * environment, before that is emptied.
 */
void notify_read_environment(void);

/* Returns true if there is a supervisor. */
bool notify_wanted(void);

/* Sends without waiting.  Returns false if another try may succeed later. */
bool notify_send(const char *text);

/*
 * Gives a sign of life if one is due, so that the supervisor kills a service
 * that hangs.  The time is in milliseconds.
 */
void notify_alive(int64_t now);

/* Returns when notify_alive() has to be called next, or -1. */
int64_t notify_wake(void);

#endif
