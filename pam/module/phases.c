/* SPDX-License-Identifier: BSD-2-Clause */
/* What the phases of the module share. */
#include "phases.h"

#include <security/pam_ext.h>
#include <stddef.h>

#include "ask.h"
#include "failure.h"

#define DELAY_US 2000000	/* after a failure, as with pam_unix(8) */

const char *phases_item(const pam_handle_t *pamh, int type)
{
	const void *value;

	return pam_get_item(pamh, type, &value) == PAM_SUCCESS && value ?
		value : "";
}

bool phases_is_blank(pam_handle_t *pamh, const struct options *o,
		     const char *user)
{
	struct request req;
	struct answer answer;

	ask_request(&req, OP_BLANK, user, o);
	return ask_helper(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer) ==
		PAM_SUCCESS;
}

static int verify(pam_handle_t *pamh, const struct options *o,
		  const char *user, const char *password, uint32_t flag)
{
	struct request req;
	struct answer answer;

	ask_request(&req, OP_VERIFY, user, o);
	req.flags |= flag;
	request_text(req.password, sizeof(req.password), password);
	return ask_helper(pamh, o, &req, PAM_AUTHINFO_UNAVAIL, &answer);
}

int phases_verify_first(pam_handle_t *pamh, const struct options *o,
			const char *user, const char *password)
{
	int code = verify(pamh, o, user, password, FLAG_BEFORE_UNIX);

	/* The stack ends here, so no other module asks for it. */
	if (code == PAM_CRED_UNAVAIL && !o->nodelay)
		(void)pam_fail_delay(pamh, DELAY_US);
	return code;
}

int phases_verify_last(pam_handle_t *pamh, const struct options *o,
		       const char *user, const char *password)
{
	if (!o->nodelay)
		(void)pam_fail_delay(pamh, DELAY_US);
	return failure_note(pamh, user,
			    verify(pamh, o, user, password, 0));
}

void phases_tell(pam_handle_t *pamh, unsigned flags, int style,
		 const char *text)
{
	if (!(flags & PAM_SILENT))
		(void)pam_prompt(pamh, style, NULL, "%s", text);
}
