/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the service: see the rules in service.h. */
#ifndef PAM_LYRA2_LOOP_H
#define PAM_LYRA2_LOOP_H

/* Serves a socket that listens until SIGTERM.  Returns an exit status. */
int loop(int listener);

#endif
