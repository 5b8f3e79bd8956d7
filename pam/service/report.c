/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes log lines, and tells the supervisor the state of the service. */
#include "report.h"

#include <security/_pam_types.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "notify.h"
#include "pam/protocol/clock.h"
#include "pam/work/log.h"

#define STATUS_MS 1000

/* ---- lines ---- */

void report_line(struct service *s, uint64_t source, int priority,
		 const char *format, ...)
{
	char text[LIMIT_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (limit_allows(&s->limit, source, text, clock_ms()))
		log_line(priority, "%s", text);
}

/*
 * The name of an unknown user is left out: it may be a password.
 */
void report_verdict(const struct connection *c)
{
	const struct request *req = &c->req;
	const bool right = c->verdict.number == PAM_SUCCESS;

	if (req->op != OP_VERIFY ||
	    (!right && c->verdict.number != PAM_AUTH_ERR))
		return;
	if (req->caller != 0)
		log_line(right ? LOG_INFO : LOG_NOTICE, "password check %s for "
			 "user (%s) [UID=%lu] service=%s rhost=%s",
			 right ? "passed" : "failed", req->user,
			 (unsigned long)req->caller, req->service, req->rhost);
	else if (!right)
		log_line(LOG_NOTICE, "password check failed for user (%s) "
			 "service=%s rhost=%s", req->user, req->service,
			 req->rhost);
}

static void write_sums(struct service *s, int64_t now)
{
	char text[LIMIT_TEXT];
	unsigned more;

	while ((more = limit_sum(&s->limit, now, text)) > 0)
		log_line(LOG_NOTICE, "%u more: %s", more, text);
}

/* ---- status ---- */

/* Writes a number with commas. */
static const char *commas(unsigned long n, char text[32])
{
	char *p = text + 31;
	int digits = 0;

	*p = '\0';
	do {
		if (digits > 0 && digits % 3 == 0)
			*--p = ',';
		digits++;
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return p;
}

static struct counts count(const struct service *s)
{
	return (struct counts){
		.hashing = service_hashing(s), .waiting = s->sched.count,
		.answered = s->answered, .converted = s->converted
	};
}

static bool is_told(const struct service *s)
{
	const struct counts new = count(s), *old = &s->told;

	return s->told_ready && new.hashing == old->hashing &&
		new.waiting == old->waiting &&
		new.answered == old->answered &&
		new.converted == old->converted;
}

/* READY=1 is sent each time, in case the first one was lost. */
static void send_status(struct service *s, int64_t now)
{
	const struct counts c = count(s);
	char h[32], w[32], a[32], n[32], text[256];

	snprintf(text, sizeof(text), "READY=1\nSTATUS=%s hashing, %s waiting, "
		 "%s answered, %s converted", commas(c.hashing, h),
		 commas(c.waiting, w), commas(c.answered, a),
		 commas(c.converted, n));
	s->tell_at = now + STATUS_MS;
	if (!notify_send(text))
		return;
	s->told = c;
	s->told_ready = true;
}

void report_tick(struct service *s)
{
	const int64_t now = clock_ms();

	write_sums(s, now);
	notify_alive(now);
	if (notify_wanted() && s->end == 0 && !is_told(s) && now >= s->tell_at)
		send_status(s, now);
}

void report_end(struct service *s)
{
	write_sums(s, clock_ms() + LIMIT_MS);
	if (notify_wanted())
		(void)notify_send("STOPPING=1");
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

int64_t report_wake(const struct service *s)
{
	const int64_t wake = earlier(limit_wake(&s->limit), notify_wake());

	if (!notify_wanted() || s->end > 0 || is_told(s))
		return wake;
	return earlier(wake, s->tell_at);
}
