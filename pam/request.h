/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the module asks a helper, and what the helper answers.
 *
 * The helper gets one request on its standard input, a socket, and sends back
 * replies until one of kind REPLY_END: logs for the module to write, days, and
 * one verdict, a PAM return code.  The helper starts a rehash only after the
 * module has acknowledged the verdict, so later events cannot change it.  The
 * helper logs a failure before it sends the verdict, so a user cannot hide a
 * failed guess by killing the caller.  For users it logs a right password at
 * the same point, which then takes as long as a wrong one, so that no guess is
 * known to be wrong before it is counted.
 */
#ifndef PAM_LYRA2_REQUEST_H
#define PAM_LYRA2_REQUEST_H

#include <stdbool.h>

#include "src/stored/stored.h"
#include "wire.h"

/* A helper exits after this time, and the module stops waiting. */
#define HELPER_SECONDS 120
/* How long the module waits for a helper after its verdict. */
#define AFTER_VERDICT_MS 1000

/* Where lyra2_chkpwd finds /etc/shadow, if its caller can read the file. */
#define SHADOW_FD 3

#define USER_MAX 255	/* LOGIN_NAME_MAX of Linux, without the NUL */
#define HOST_MAX 255	/* of a name in DNS; what is longer is cut */

enum op {
	OP_VERIFY = 1,	/* is this the password?  lyra2_update rehashes */
	OP_BLANK,	/* does the user have an empty password? */
	OP_ACCOUNT,	/* aging and expiry */
	OP_SET		/* lyra2_update only: a new password */
};

enum request_flag {
	FLAG_NULLOK = 1,	/* an empty password is a password */
	FLAG_CHECK_OLD = 2,	/* OP_SET: only if password is the old one */
	FLAG_ROOT = 4,		/* OP_SET: aging does not bind the caller */
	FLAG_EXPIRED_ONLY = 8,	/* OP_SET: only a password that has expired */
	FLAG_BEFORE_UNIX = 16,	/* OP_VERIFY: pam_unix(8) tries next */
	FLAG_DETACH = 32,	/* OP_VERIFY: rehash in a process of its own */
	FLAG_TERMINAL = 64	/* the application has named one, PAM_TTY */
};

struct request {
	uint32_t op;		/* enum op */
	uint32_t flags;		/* of enum request_flag, or-ed */
	uint32_t caller;	/* real user ID of the application */
	struct policy policy;
	char user[USER_MAX + 2];	/* room to be one too long */
	char rhost[HOST_MAX + 1];	/* PAM_RHOST, or empty */
	char password[LYRA2_MAX_PASSWORD + 2];
	char new_password[LYRA2_MAX_PASSWORD + 2];
};

enum reply_kind { REPLY_VERDICT = 1, REPLY_DAYS, REPLY_LOG, REPLY_END };

struct reply {
	uint32_t kind;		/* enum reply_kind */
	int32_t number;		/* verdict, days, or syslog(3) priority */
	char text[1024];	/* of REPLY_LOG */
};

/* Each returns 0, or -1 with errno; a malformed message is EBADMSG. */
int request_send(int fd, const struct request *req);
int request_recv(int fd, struct request *req);
int reply_send(int fd, const struct reply *reply);
int reply_recv(int fd, struct reply *reply);

/*
 * Tell the helper that the verdict has arrived; wait up to AFTER_VERDICT_MS
 * for that message.  The first returns 0, or -1 with errno.
 */
int request_acknowledge(int fd);
bool request_acknowledged(int fd);

/* Makes each send and receive on a socket fail after so many seconds. */
int request_set_timeout(int fd, int seconds);

/* Copies src, truncated to one byte more than the field may hold. */
void request_text(char *field, size_t size, const char *src);

#endif
