/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remark.h - messages to the user, in his language.
 *
 * They are word for word those of pam_unix(8), so Linux-PAM's translations
 * serve for them.
 */
#ifndef PAM_LYRA2_REMARK_H
#define PAM_LYRA2_REMARK_H

#include <libintl.h>
#include <security/pam_modules.h>

#define REMARK_DOMAIN "Linux-PAM"
#define _(text) dgettext(REMARK_DOMAIN, text)

/* Shows text unless the application asked for silence. */
void remark(pam_handle_t *pamh, unsigned flags, int style, const char *text);

#endif
