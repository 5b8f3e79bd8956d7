/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts "lyra2d --once" so that the application does not notice it. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

/*
 * The new process has sock as its standard input, nothing else of ours, and a
 * session of its own.  It is no child of the application.  Returns 0, or -1
 * with errno.
 */
int spawn_once(int sock);

#endif
