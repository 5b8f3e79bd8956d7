/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends replies, and answers requests that need no hash. */
#include "answer.h"

#include <security/_pam_types.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <time.h>

#include "src/account/entry.h"

void answer_send(int fd, enum reply_kind kind, int number)
{
	const struct reply reply = { .kind = kind, .number = number };

	(void)reply_send(fd, &reply);
}

long answer_today(void)
{
	return (long)(time(NULL) / (24 * 60 * 60));
}

static int change(const struct request *req, int code,
		  const struct aging *aging)
{
	if (code == PAM_SUCCESS)
		code = aging_check(aging, answer_today());
	if (!(req->flags & FLAG_EXPIRED) || code == PAM_USER_UNKNOWN)
		return aging_change(code, req->flags & FLAG_ROOT);
	return code == PAM_NEW_AUTHTOK_REQD ? PAM_SUCCESS : PAM_AUTHTOK_ERR;
}

/* If the hash is in /etc/passwd, that is the answer, rather than "unknown". */
void answer_status(int fd, const struct request *req)
{
	struct entry e;
	const int code = entry_find(req->user, &e);
	const struct status status = {
		.found = e.passwd == PAM_IGNORE ? PAM_IGNORE : code,
		.change = change(req, code, &e.aging),
		.blank = code == PAM_SUCCESS && e.hash[0] == '\0'
	};

	struct reply reply = {
		.kind = REPLY_VERDICT, .number = status_pack(&status)
	};

	/* Of all others a worker says it. */
	if (e.damage && (req->flags & FLAG_ROOT)) {
		reply.priority = LOG_ERR;
		snprintf(reply.text, sizeof(reply.text), "user %s: %s",
			 req->user, e.damage);
	}
	explicit_bzero(&e, sizeof(e));
	(void)reply_send(fd, &reply);
}
