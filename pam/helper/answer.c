/* SPDX-License-Identifier: BSD-2-Clause */
/* What both helpers do: read the one request and answer it. */
#include "answer.h"

#include <security/_pam_types.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "pam/clock.h"
#include "pam/passwd.h"
#include "queue.h"
#include "source.h"
#include "start.h"
#include "verify.h"

#define TIMEOUT_SECONDS 10	/* for the request, once started */
#define STALE_MS 100	/* how old what is known may be */

static void send_reply(enum reply_kind kind, int number)
{
	struct reply reply = { .kind = kind, .number = number };

	/* If the module is gone, there is nobody to report errors to. */
	(void)reply_send(STDIN_FILENO, &reply);
}

void answer_verdict(int code)
{
	send_reply(REPLY_VERDICT, code);
}

/* Clamp to 32 bits. */
void answer_days(long days)
{
	send_reply(REPLY_DAYS, days > INT32_MAX ? INT32_MAX : (int)days);
}

void answer_log(int priority, const char *format, ...)
{
	struct reply reply = { .kind = REPLY_LOG, .number = priority };
	va_list args;

	va_start(args, format);
	vsnprintf(reply.text, sizeof(reply.text), format, args);
	va_end(args);
	(void)reply_send(STDIN_FILENO, &reply);
}

/* They only even out times: no user makes them costlier than the defaults. */
static void bound(struct lyra2_params *p)
{
	struct lyra2_params most;

	lyra2_params_init(&most);
	lyra2_params_fill(&most);
	if (lyra2_work(p) == 0 || lyra2_work(p) > lyra2_work(&most) ||
	    lyra2_memory(p) > lyra2_memory(&most))
		*p = most;
}

/* The caller of lyra2_chkpwd may not be the module: trust no number. */
static int read_request(struct request *req)
{
	char why[256];
	int rc;

	/* A user can stop who asks: this process is then killed, too. */
	alarm(TIMEOUT_SECONDS);
	rc = request_recv(STDIN_FILENO, req);
	alarm(HELPER_SECONDS);
	if (rc < 0) {
		/* A program that started before an upgrade has the old one. */
		answer_log(LOG_ERR, "the helper cannot read the request; if "
			   "pam_lyra2 was upgraded, restart this service");
		return -1;
	}
	if (getuid() != 0) {
		req->caller = getuid();
		bound(&req->policy.params);
	}
	/* For root the system's administrator has set it. */
	if (req->caller != 0)
		start_reset_scheduling();
	if (lyra2_check_string(&req->policy.params, why, sizeof(why)) == 0)
		return 0;
	answer_log(LOG_ERR, "parameters refused by the helper: %s", why);
	return -1;
}

int answer_one(bool (*answer)(const struct request *req))
{
	static struct request req;
	bool last = read_request(&req) < 0 || answer(&req);

	explicit_bzero(&req, sizeof(req));
	if (last)
		send_reply(REPLY_END, 0);
	return 0;
}

static void log_refusal(const struct request *req)
{
	syslog(LOG_WARNING, "password check refused: too many at once "
	       "[UID=%lu] rhost=%s", (unsigned long)req->caller, req->rhost);
}

static int enter_queue(const struct request *req, const struct subject *s)
{
	struct queue_request q = {
		.max = req->policy.max_concurrent,
		.source = source_of(req),
		.watched = req->caller != 0,
		.console = req->rhost[0] == '\0' &&
			(req->flags & FLAG_TERMINAL) &&
			s->found == PAM_SUCCESS && s->entry.uid == 0,
		.peer = STDIN_FILENO
	};
	enum queue_result result = queue_enter(&q);

	if (result == QUEUE_REFUSED)
		log_refusal(req);
	return result == QUEUE_SLOT || result == QUEUE_UNUSABLE ?
		PAM_SUCCESS : PAM_CRED_UNAVAIL;
}

static void look_up(const struct request *req, struct subject *s)
{
	s->found = entry_find(req->user, &s->entry);
	s->passwd = passwd_user(req->user);
}

int answer_find(const struct request *req, struct subject *s)
{
	int64_t begun;
	int code;

	look_up(req, s);
	if (s->found == PAM_AUTHINFO_UNAVAIL)
		answer_log(LOG_DEBUG, "no shadow entry of user %s can be read",
			   req->user);
	if (req->op != OP_VERIFY && req->op != OP_SET)
		return PAM_SUCCESS;
	begun = clock_ms();
	code = enter_queue(req, s);
	/* Meanwhile the account may have been locked. */
	if (code == PAM_SUCCESS && clock_ms() - begun > STALE_MS)
		look_up(req, s);
	return code;
}

/*
 * For users of sssd and similar services, the name service gives a marker in
 * place of a hash.  Let the next module decide.
 */
static bool is_foreign(const struct subject *s)
{
	return s->entry.hash[0] != '\0' && !s->entry.stored.method &&
		s->passwd == PAM_USER_UNKNOWN;
}

/* The name of an unknown user is not logged: it may be a password. */
static void log_verdict(const struct request *req, int code)
{
	bool right = code == PAM_SUCCESS;

	if (code != PAM_AUTH_ERR && !right)
		return;
	if (req->caller != 0)
		syslog(right ? LOG_INFO : LOG_NOTICE,
		       "password check %s for user (%s) [UID=%lu]",
		       right ? "passed" : "failed", req->user,
		       (unsigned long)req->caller);
	else if (!right)
		syslog(LOG_NOTICE, "password check failed for user (%s)",
		       req->user);
}

bool answer_verify(const struct request *req, const struct subject *s)
{
	struct verify_result v = { .code = s->found };

	if (s->found == PAM_SUCCESS)
		v = verify_password(&s->entry.stored, req->password,
				    (req->flags & FLAG_NULLOK) != 0,
				    policy_max_memory(&req->policy));
	if (v.code == PAM_AUTH_ERR && is_foreign(s))
		v.code = PAM_AUTHINFO_UNAVAIL;
	if (v.why)
		answer_log(LOG_ERR, "password hash of user %s refused: %s",
			   req->user, v.why);
	/* Users can watch this process: nothing shows before the log has it. */
	if (req->caller != 0)
		log_verdict(req, v.code);
	if (v.code != PAM_SUCCESS || req->caller != 0)
		verify_even_out(&v, &s->entry.stored, req->password,
				&req->policy.params,
				(req->flags & FLAG_BEFORE_UNIX) != 0);
	/* A log that is full must not hold up others. */
	if (req->caller == 0 && v.code != PAM_SUCCESS) {
		queue_leave();
		log_verdict(req, v.code);
	}
	answer_verdict(v.code);
	return v.code == PAM_SUCCESS && request_acknowledged(STDIN_FILENO);
}

void answer_blank(const struct subject *s)
{
	int blank = s->entry.hash[0] == '\0' ? PAM_SUCCESS : PAM_AUTH_ERR;

	answer_verdict(s->found == PAM_SUCCESS ? blank : s->found);
}

long answer_today(void)
{
	return (long)(time(NULL) / (24 * 60 * 60));
}

void answer_account(const struct subject *s)
{
	long days = -1;
	int code = s->found;

	if (code == PAM_SUCCESS && s->entry.shadowed)
		code = aging_check(&s->entry.aging, answer_today(), &days);
	answer_days(days);
	answer_verdict(code);
}
