/* SPDX-License-Identifier: BSD-2-Clause */
/* Records for the audit system, if libaudit is available. */
#ifndef PAM_LYRA2_AUDIT_LOG_H
#define PAM_LYRA2_AUDIT_LOG_H

#include <sys/types.h>

enum audit_event { AUDIT_REHASH, AUDIT_CHANGE };

/*
 * Writes a record.  Ignores errors: passwords can change without the audit
 * system.
 */
void audit_log(enum audit_event event, const char *user, uid_t uid,
	       int done);

#endif
