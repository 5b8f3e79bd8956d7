/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the texts that an application has set on a PAM handle. */
#include "item.h"

const char *item_text(const pam_handle_t *pamh, int type)
{
	const void *value;

	return pam_get_item(pamh, type, &value) == PAM_SUCCESS && value ?
		value : "";
}
