/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts programs so that the application does not notice it. */
#ifndef PAM_LYRA2_SPAWN_H
#define PAM_LYRA2_SPAWN_H

#include <security/pam_modules.h>
#include <stdint.h>

#include "pam/protocol/request.h"

/*
 * Starts a private service, with sock as its standard input, nothing else that
 * is open, and a session of its own.  Returns a number for spawn_end(), or -1
 * with errno.
 */
pid_t spawn_private(int sock);

/*
 * Waits at most ms milliseconds for the end of a private service.  What is left
 * then is no child of the application.  Returns 0; or an errno of execve(2),
 * because there was no service.
 */
int spawn_end(pid_t pid, int ms);

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
