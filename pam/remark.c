/* SPDX-License-Identifier: BSD-2-Clause */
/* remark.c - messages to the user. */
#include "remark.h"

#include <security/pam_ext.h>
#include <stddef.h>

void remark(pam_handle_t *pamh, unsigned flags, int style, const char *text)
{
	if (!(flags & PAM_SILENT))
		(void)pam_prompt(pamh, style, NULL, "%s", text);
}
