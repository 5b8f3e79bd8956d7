/* SPDX-License-Identifier: BSD-2-Clause */
/* failure.h - failed attempts of one PAM handle: counted and logged. */
#ifndef PAM_LYRA2_FAILURE_H
#define PAM_LYRA2_FAILURE_H

#include <security/pam_modules.h>

/*
 * Notes how an attempt ended, in the lines that log watchers know from
 * pam_unix(8).  Returns code, or PAM_MAXTRIES from the third failure on.
 */
int failure_note(pam_handle_t *pamh, const char *user, int code);

#endif
