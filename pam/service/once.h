/* SPDX-License-Identifier: BSD-2-Clause */
/* "lyra2d --once": for a module that finds no service. */
#ifndef PAM_LYRA2_ONCE_H
#define PAM_LYRA2_ONCE_H

/*
 * One conversation on a socket.  It verifies and sets passwords, and never
 * rehashes.  Processes for root's programs hash one after the other, and so do
 * those for users: each user holds up another for a second at most.  The
 * account root goes on without its turn after some time, in root's programs
 * only.  Returns an exit status.
 */
int once(int fd);

#endif
