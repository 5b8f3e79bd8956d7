/* SPDX-License-Identifier: BSD-2-Clause */
/* What the upgrade of old values needs to know of the scheme {LYRA2}. */
#ifndef PW_LYRA2_H
#define PW_LYRA2_H

#include <lber.h>
#include <stdbool.h>

#include "pam/policy.h"

#define PW_LYRA2_SCHEME "{LYRA2}"

/* Writes a line to slapd's log, with a priority of syslog(3). */
__attribute__((format(printf, 2, 3)))
void pw_lyra2_report(int priority, const char *format, ...);

/* The policy that the arguments set; NULL if the scheme is not loaded. */
const struct policy *pw_lyra2_policy(void);

/* A stored value as a string.  0, or -1 if it is longer or has a NUL. */
int pw_lyra2_string(const struct berval *value, char *out, size_t outsize);

#endif
