/* SPDX-License-Identifier: BSD-2-Clause */
/* "lyra2d --once": for a module that finds no service. */
#ifndef PAM_LYRA2_ONCE_H
#define PAM_LYRA2_ONCE_H

/*
 * One conversation on a socket.  It verifies and sets passwords, and never
 * rehashes.  Processes for root's programs hash one after the other, and so do
 * those for users, of whom each holds up another for a second at most.  Only the
 * account root does not wait without end for its turn, and only in root's
 * programs.  Returns an exit status.
 */
int once(int fd);

#endif
