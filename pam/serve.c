/* SPDX-License-Identifier: BSD-2-Clause */
/* serve.c - answers of the helpers. */
#include "serve.h"

#include <security/_pam_types.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "admit.h"
#include "local.h"
#include "method.h"
#include "verify.h"

#define NOBODY ((uid_t)-1)

static void send_reply(enum reply_kind kind, int number)
{
	struct reply reply = { .kind = kind, .number = number };

	/* The module may be gone; its password is wiped all the same. */
	(void)reply_send(STDIN_FILENO, &reply);
}

void serve_verdict(int code)
{
	send_reply(REPLY_VERDICT, code);
}

/* Whoever has more than a lifetime left is not warned of the day. */
void serve_days(long days)
{
	send_reply(REPLY_DAYS, days > INT32_MAX ? INT32_MAX : (int)days);
}

void serve_end(void)
{
	send_reply(REPLY_END, 0);
}

void serve_log(int priority, const char *format, ...)
{
	struct reply reply = { .kind = REPLY_LOG, .number = priority };
	va_list args;

	va_start(args, format);
	vsnprintf(reply.text, sizeof(reply.text), format, args);
	va_end(args);
	(void)reply_send(STDIN_FILENO, &reply);
}

/*
 * Numbers that no module of ours would send would cost the caller's time
 * only, but a crash in a set-id program is no answer either.
 */
int serve_read(struct request *req)
{
	char why[256] = "they take too much memory";

	if (request_recv(STDIN_FILENO, req))
		return -1;
	if (lyra2_check(&req->policy.params, why, sizeof(why)) == 0 &&
	    lyra2_memory(&req->policy.params) <= LYRA2_MAX_MEMORY)
		return 0;
	serve_log(LOG_ERR, "parameters refused by the helper: %s", why);
	return -1;
}

int serve_find(const struct request *req, struct subject *s)
{
	s->slot = -1;
	s->found = users_find(req->user, &s->entry);
	if (s->found == PAM_AUTHINFO_UNAVAIL)
		serve_log(LOG_DEBUG, "no shadow entry of user %s can be read",
			  req->user);
	if (req->op != OP_VERIFY && req->op != OP_SET)
		return 0;
	s->slot = admit_enter(req->policy.max_concurrent, getuid(),
			      s->found == PAM_SUCCESS ? s->entry.uid : NOBODY);
	if (s->slot >= -1)
		return 0;
	serve_log(LOG_ERR, "too many passwords wait to be hashed");
	serve_verdict(req->op == OP_SET ? PAM_AUTHTOK_LOCK_BUSY :
		      PAM_AUTHINFO_UNAVAIL);
	return -1;
}

/*
 * What the name service gives for users of sssd and its like: a mark where a
 * hash would be.  The module that knows better comes next.
 */
static int is_foreign(const struct request *req, const struct subject *s)
{
	return s->entry.hash[0] != '\0' && !method_of(s->entry.hash) &&
		local_user(req->user) == PAM_USER_UNKNOWN;
}

int serve_verify(const struct request *req, const struct subject *s)
{
	const char *why = NULL;
	int code = s->found;

	if (s->found == PAM_SUCCESS)
		code = verify_password(s->entry.hash, req->password,
				       (req->flags & FLAG_NULLOK) != 0,
				       &req->policy, &why);
	else
		verify_nobody(req->password, &req->policy);
	if (code == PAM_AUTH_ERR && is_foreign(req, s))
		code = PAM_AUTHINFO_UNAVAIL;
	if (why)
		serve_log(LOG_ERR, "password hash of user %s refused: %s",
			  req->user, why);
	serve_verdict(code);
	return code;
}

void serve_blank(const struct subject *s)
{
	int blank = s->entry.hash[0] == '\0' ? PAM_SUCCESS : PAM_AUTH_ERR;

	serve_verdict(s->found == PAM_SUCCESS ? blank : s->found);
}

long serve_today(void)
{
	return (long)(time(NULL) / (24 * 60 * 60));
}

void serve_account(const struct subject *s)
{
	long days = -1;
	int code = s->found;

	if (code == PAM_SUCCESS && s->entry.shadowed)
		code = account_check(&s->entry.aging, serve_today(), &days);
	serve_days(days);
	serve_verdict(code);
}
