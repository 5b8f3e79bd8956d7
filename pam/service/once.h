/* SPDX-License-Identifier: BSD-2-Clause */
/* "lyra2d --once": for a module that finds no service. */
#ifndef PAM_LYRA2_ONCE_H
#define PAM_LYRA2_ONCE_H

/*
 * Serves one module on a socket.  Verifies and sets passwords, and never
 * replaces a hash.  Processes for root's programs hash one after the other, and
 * so do those for users.  A user delays another for a second at most.  In
 * root's programs, the account root goes on without its turn after some time.
 * Returns an exit status.
 */
int once(int fd);

#endif
