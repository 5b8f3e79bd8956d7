/* SPDX-License-Identifier: BSD-2-Clause */
/* What the limits of the application allow. */
#ifndef PAM_LYRA2_LIMITS_H
#define PAM_LYRA2_LIMITS_H

#include <stdbool.h>

/*
 * Whether a failure can be counted.  A user who starts su(1) with few
 * descriptors, or lets it write no files, must not get a verdict that
 * pam_faillock(8) then cannot write down.
 */
bool limits_allow_count(void);

#endif
