/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Says when a service that all modules share has to end, because its successor
 * will do what it cannot do: see today's mounts, or load today's libcrypt.
 */
#ifndef PAM_LYRA2_RENEW_H
#define PAM_LYRA2_RENEW_H

#include <stdbool.h>

/*
 * Returns true if the service has to end, and has logged why.  The first call
 * remembers libcrypt's file.
 */
bool renew_due(void);

/* Returns true if that is known already, without a look at libcrypt's file. */
bool renew_known(void);

/*
 * A worker could not write, as the file system was read-only.  A service keeps
 * the mounts of its start; the system may have others since then.  Ends a
 * service once an hour at most, as the file system may stay read-only.
 */
void renew_erofs(void);

#endif
