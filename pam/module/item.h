/* SPDX-License-Identifier: BSD-2-Clause */
/* What the application has said of itself or of its user. */
#ifndef PAM_LYRA2_ITEM_H
#define PAM_LYRA2_ITEM_H

#include <security/pam_modules.h>

/* A text of pam_get_item(3), such as PAM_RHOST; "" if there is none. */
const char *item_text(const pam_handle_t *pamh, int type);

#endif
