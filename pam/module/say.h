/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the lines of the module to the log. */
#ifndef PAM_LYRA2_SAY_H
#define PAM_LYRA2_SAY_H

#include <security/pam_modules.h>

/* pam_syslog(3), but what is not printable becomes "?". */
__attribute__((format(printf, 3, 4)))
void say(pam_handle_t *pamh, int priority, const char *format, ...);

#endif
