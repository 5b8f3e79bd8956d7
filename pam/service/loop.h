/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the service. */
#ifndef PAM_LYRA2_LOOP_H
#define PAM_LYRA2_LOOP_H

/* Serves a socket that listens until SIGTERM.  Returns an exit status. */
int loop_public(int listener);

/* Serves one module until it or its request ends.  Returns an exit status. */
int loop_private(int module);

#endif
