/* SPDX-License-Identifier: BSD-2-Clause */
/* What the service tells its supervisor, by the protocol of sd_notify(3). */
#ifndef PAM_LYRA2_NOTIFY_H
#define PAM_LYRA2_NOTIFY_H

#include <stdbool.h>

/* Reads from the environment, before it is emptied, where to send. */
void notify_read_address(void);

/* Whether anybody wants to hear. */
bool notify_wanted(void);

/* Sends, and never waits; false if it is worth trying again later. */
bool notify_send(const char *text);

#endif
