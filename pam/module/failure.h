/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts and logs the failed attempts of one PAM handle. */
#ifndef PAM_LYRA2_FAILURE_H
#define PAM_LYRA2_FAILURE_H

#include <security/pam_modules.h>

/* The number of tries that a user has, as with pam_unix(8). */
enum { FAILURE_MAX_TRIES = 3 };

/*
 * Counts an attempt of user that ended with code, a PAM return code.  Logs a
 * failure in the words of pam_unix(8), which programs that read the log know.
 * Returns code, or PAM_MAXTRIES from the third failure on.
 */
int failure_note(pam_handle_t *pamh, const char *user, int code);

#endif
