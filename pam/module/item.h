/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the texts that an application has set on a PAM handle. */
#ifndef PAM_LYRA2_ITEM_H
#define PAM_LYRA2_ITEM_H

#include <security/pam_modules.h>

/* Returns a text of pam_get_item(3), such as PAM_RHOST, or "". */
const char *item_text(const pam_handle_t *pamh, int type);

#endif
