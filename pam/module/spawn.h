/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts programs so that the application does not notice it. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

#include <security/pam_modules.h>
#include <stdint.h>

#include "pam/protocol/request.h"

/*
 * Starts "lyra2d --once".  The new process has sock as its standard input,
 * nothing else that is open, and a session of its own.  It is no child of the
 * application.  Returns 0, or -1 with errno.
 */
int spawn_once(int sock);

/* Tells the user to wait.  Returns that time in milliseconds. */
typedef int64_t spawn_wait(pam_handle_t *pamh, int seconds);

/*
 * Starts lyra2_chkpwd(8), which requests OP_VERIFY.  Returns a PAM return code:
 * PAM_TRY_AGAIN if the service is busy or ended, PAM_AUTHINFO_UNAVAIL also if
 * lyra2_chkpwd cannot be started.
 */
int spawn_chkpwd(const struct request *req, const struct secret *secret,
		 spawn_wait *wait, pam_handle_t *pamh);

#endif
