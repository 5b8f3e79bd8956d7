/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the phases of the module share. */
#include "phases.h"

#include <security/pam_ext.h>
#include <string.h>

#include "ask.h"
#include "failure.h"

#define DELAY_US 2000000	/* after a failure, as with pam_unix(8) */

int phases_status(pam_handle_t *pamh, const struct options *o,
		  uint32_t flags, const char *user, struct status *status)
{
	struct request req = { .op = OP_STATUS, .flags = flags };
	int code;

	request_text(req.user, sizeof(req.user), user);
	code = ask_service(pamh, o, &req, NULL);
	if (status_unpack(code, status))
		return PAM_SUCCESS;
	return code == PAM_SUCCESS ? PAM_AUTHINFO_UNAVAIL : code;
}

/* pam_unix(8) logs and delays what it refuses itself. */
static bool left_to_unix(const struct options *o, bool unix_next, int code)
{
	return unix_next && o->before_unix && code != PAM_SUCCESS &&
		code != PAM_CRED_UNAVAIL &&
		!(code == PAM_AUTH_ERR && o->skip_unix);
}

int phases_verify(pam_handle_t *pamh, const struct options *o,
		  uint32_t flags, const char *user, const char *password,
		  bool unix_next)
{
	struct request req = {
		.op = OP_VERIFY, .flags = flags | (o->nullok ? FLAG_NULLOK : 0)
	};
	struct secret secret = { "", "" };
	int code;

	request_text(req.user, sizeof(req.user), user);
	request_text(secret.password, sizeof(secret.password), password);
	code = ask_service(pamh, o, &req, &secret);
	if (left_to_unix(o, unix_next, code))
		return code;
	if (!o->nodelay)
		(void)pam_fail_delay(pamh, DELAY_US);
	code = failure_note(pamh, user, code);
	/* The stack recognises a wrong password by this code. */
	return code == PAM_MAXTRIES && o->skip_unix ? PAM_AUTH_ERR : code;
}

void phases_tell(pam_handle_t *pamh, unsigned flags, int style,
		 const char *text)
{
	if (!(flags & PAM_SILENT))
		(void)pam_prompt(pamh, style, NULL, "%s", text);
}
