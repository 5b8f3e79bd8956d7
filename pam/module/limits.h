/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the application's resource limits. */
#ifndef PAM_LYRA2_LIMITS_H
#define PAM_LYRA2_LIMITS_H

#include <stdbool.h>

/*
 * Returns true if other modules can record a failure.  A user can start su(1)
 * with few descriptors, or without the right to write files.  Then there must
 * be no result, as pam_faillock(8) could not record it.
 */
bool limits_allow_count(void);

#endif
