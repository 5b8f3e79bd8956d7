/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the user that the application asks for, and the terminal or host. */
#include "caller.h"

#include <pwd.h>
#include <security/pam_modutil.h>
#include <string.h>
#include <unistd.h>

#include "item.h"

/*
 * Returns true if the user is on another host.  With pam_rhost, sudo(8) gives
 * the name of this host, and with fqdn also its domain.
 */
static bool is_remote(pam_handle_t *pamh)
{
	const char *rhost = item_text(pamh, PAM_RHOST);
	char here[HOST_MAX + 1];
	size_t len;

	if (gethostname(here, sizeof(here)) < 0)
		return rhost[0] != '\0';
	len = strlen(here);
	return rhost[0] != '\0' && (strncmp(rhost, here, len) != 0 ||
		(rhost[len] != '\0' && rhost[len] != '.'));
}

/*
 * Finds the user that the application runs for.  sudo(8) has already changed
 * its real user ID, but gives its user's name.  Who calls lyra2d as a user is
 * known to it.
 */
static void note_user(pam_handle_t *pamh, struct request *req)
{
	const char *ruser = item_text(pamh, PAM_RUSER);
	const struct passwd *pw;

	req->caller = getuid();
	if (req->caller != 0) {
		if (geteuid() == 0 &&
		    !pam_modutil_getpwuid(pamh, req->caller))
			req->flags |= FLAG_NO_ACCOUNT;
	} else if (!is_remote(pamh) && ruser[0] != '\0') {
		pw = pam_modutil_getpwnam(pamh, ruser);
		req->caller = pw ? pw->pw_uid : CALLER_UNKNOWN;
	}
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
