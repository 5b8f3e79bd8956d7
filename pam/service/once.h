/* SPDX-License-Identifier: BSD-2-Clause */
/* "lyra2d --once": for a module that finds no service. */
#ifndef PAM_LYRA2_ONCE_H
#define PAM_LYRA2_ONCE_H

/*
 * One conversation on a socket.  It verifies and sets passwords, and never
 * rehashes.  These processes hash one after the other.  Returns an exit status.
 */
int once(int fd);

#endif
