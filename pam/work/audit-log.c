/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records for the audit system.
 *
 * libpam writes its own records for every PAM call, but it does not know that
 * a login changed a stored hash.
 */
#include "config.h"
#include "audit-log.h"

#ifdef HAVE_LIBAUDIT

#include <libaudit.h>
#include <stddef.h>

void audit_log(enum audit_event event, const char *user, uid_t uid,
	       int done)
{
	int fd = audit_open();

	if (fd < 0)
		return;
	audit_log_acct_message(fd, event == AUDIT_REHASH ? AUDIT_USER_MGMT :
			       AUDIT_USER_CHAUTHTOK, NULL,
			       event == AUDIT_REHASH ? "rehash-password" :
			       "change-password", user, uid, NULL, NULL, NULL,
			       done);
	audit_close(fd);
}

#else

void audit_log(enum audit_event event, const char *user, uid_t uid,
	       int done)
{
	(void)event;
	(void)user;
	(void)uid;
	(void)done;
}

#endif
