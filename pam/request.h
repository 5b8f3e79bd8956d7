/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.h - what the module asks a helper, and what the helper answers.
 *
 * The helper gets one request on its standard input, a socket, and sends back
 * replies until one of kind REPLY_END: logs for the module to write, days, and
 * one verdict, a PAM return code.  The verdict of a login is sent before any
 * rehash begins, so nothing that happens later can take it back.
 */
#ifndef PAM_LYRA2_REQUEST_H
#define PAM_LYRA2_REQUEST_H

#include "policy.h"
#include "wire.h"

#define USER_MAX 255	/* LOGIN_NAME_MAX of Linux, without the NUL */

enum op {
	OP_VERIFY = 1,	/* is this the password?  lyra2_update rehashes */
	OP_BLANK,	/* does the user have an empty password? */
	OP_ACCOUNT,	/* aging and expiry */
	OP_SET		/* lyra2_update only: a new password */
};

enum {
	FLAG_NULLOK = 1,	/* an empty password is a password */
	FLAG_CHECK_OLD = 2,	/* OP_SET: only if password is the old one */
	FLAG_ROOT = 4,		/* OP_SET: aging does not bind the caller */
	FLAG_EXPIRED_ONLY = 8	/* OP_SET: only a password that has expired */
};

struct request {
	uint32_t op;
	uint32_t flags;
	struct policy policy;
	char user[USER_MAX + 2];	/* room to be too long by one */
	char password[LYRA2_MAX_PASSWORD + 2];
	char new_password[LYRA2_MAX_PASSWORD + 2];
};

enum reply_kind { REPLY_VERDICT = 1, REPLY_DAYS, REPLY_LOG, REPLY_END };

struct reply {
	uint32_t kind;
	int32_t number;		/* verdict, days, or syslog(3) priority */
	char text[1024];	/* of REPLY_LOG */
};

/* Each returns 0, or -1 with errno; a malformed message is EBADMSG. */
int request_send(int fd, const struct request *req);
int request_recv(int fd, struct request *req);
int reply_send(int fd, const struct reply *reply);
int reply_recv(int fd, struct reply *reply);

/* Copies src, cut to one byte over what the field may hold. */
void request_text(char *field, size_t size, const char *src);

#endif
