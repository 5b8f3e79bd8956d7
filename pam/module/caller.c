/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the user that the application asks for, and the terminal or host. */
#include "caller.h"

#include <security/pam_modutil.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "item.h"

/*
 * Finds the user that the application runs for.  sudo(8) has changed its real
 * user ID by now, but the kernel has noted the one that started it.  PAM_RUSER
 * does not say so: daemons give there the name that a client sent.  Who calls
 * lyra2d as a user is known to it.
 */
static void note_user(pam_handle_t *pamh, struct request *req)
{
	req->caller = getuid();
	if (req->caller == 0)
		req->caller = (uid_t)getauxval(AT_UID);
	if (req->caller != 0 && geteuid() == 0 &&
	    !pam_modutil_getpwuid(pamh, req->caller))
		req->flags |= FLAG_NO_ACCOUNT;
}

void caller_note(pam_handle_t *pamh, struct request *req)
{
	note_user(pamh, req);
	request_text(req->tty, sizeof(req->tty), item_text(pamh, PAM_TTY));
	request_text(req->rhost, sizeof(req->rhost),
		     item_text(pamh, PAM_RHOST));
	request_text(req->service, sizeof(req->service),
		     item_text(pamh, PAM_SERVICE));
}
