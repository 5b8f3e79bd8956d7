/* SPDX-License-Identifier: BSD-2-Clause */
/* What the service tells its supervisor, by the protocol of sd_notify(3). */
#ifndef PAM_LYRA2_NOTIFY_H
#define PAM_LYRA2_NOTIFY_H

#include <stdbool.h>

/*
 * Reads the supervisor's address from the environment, before that is emptied.
 */
void notify_read_address(void);

/* Returns true if there is a supervisor. */
bool notify_wanted(void);

/* Sends without waiting.  Returns false if another try may succeed later. */
bool notify_send(const char *text);

#endif
