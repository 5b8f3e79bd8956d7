/* SPDX-License-Identifier: BSD-2-Clause */
/* audit.h - records for the audit system, where libaudit is there. */
#ifndef PAM_LYRA2_AUDIT_H
#define PAM_LYRA2_AUDIT_H

#include <sys/types.h>

enum audit_event { AUDIT_REHASH, AUDIT_CHANGE };

/* Never fails: a machine without the audit system changes passwords too. */
void audit_record(enum audit_event event, const char *user, uid_t uid,
		  int done);

#endif
