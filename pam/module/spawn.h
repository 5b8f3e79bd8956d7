/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts programs so that the application does not notice it. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

#include "pam/protocol/request.h"

/*
 * Starts "lyra2d --once".  The new process has sock as its standard input,
 * nothing else that is open, and a session of its own.  It is no child of the
 * application.  Returns 0, or -1 with errno.
 */
int spawn_once(int sock);

/*
 * Has lyra2_chkpwd(8) ask OP_VERIFY; returns a PAM return code.  PAM_TRY_AGAIN:
 * busy, or ended; PAM_AUTHINFO_UNAVAIL: also where it cannot be started.
 */
int spawn_chkpwd(const struct request *req, const struct secret *secret);

#endif
