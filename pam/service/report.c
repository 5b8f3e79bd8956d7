/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes log lines, and tells the supervisor the state of the service. */
#include "report.h"

#include <errno.h>
#include <security/_pam_types.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "pam/work/log.h"

#define TEXT_SIZE 128
#define STATUS_MS 1000
#define SIGN_AGAIN_MS 100	/* after one that was lost */
#define WATCHDOG_MS 10000	/* at the latest */

/* ---- the limit of lines ---- */

static struct source {
	uint64_t number;
	int64_t until;		/* no line before that time, in ms */
	unsigned more;		/* lines that were not written */
	char text[TEXT_SIZE];	/* of the last of them */
} sources[REPORT_SOURCES];
static size_t source_count;

/* Forgets sources that may write again. */
static void forget_quiet(int64_t now)
{
	size_t i = 0;

	while (i < source_count)
		if (sources[i].more == 0 && sources[i].until <= now)
			sources[i] = sources[--source_count];
		else
			i++;
}

/*
 * Finds the source, or makes it.  All sources without a place share the last
 * one.
 */
static struct source *find_or_make(uint64_t number, int64_t now)
{
	size_t i;

	forget_quiet(now);
	for (i = 0; i < source_count; i++)
		if (sources[i].number == number)
			return &sources[i];
	if (source_count == REPORT_SOURCES)
		return &sources[REPORT_SOURCES - 1];
	sources[source_count] = (struct source){ number, now, 0, "" };
	return &sources[source_count++];
}

void report_line(uint64_t source, int priority, const char *format, ...)
{
	const int64_t now = clock_ms();
	struct source *of = find_or_make(source, now);
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (of->until <= now && of->more == 0) {
		of->until = now + REPORT_LIMIT_MS;
		log_line(priority, "%s", text);
		return;
	}
	of->more++;
	memcpy(of->text, text, sizeof(text));
}

/* Writes how many lines were left out, where that is due. */
static void write_sums(int64_t now)
{
	struct source *of;

	for (of = sources; of < sources + source_count; of++) {
		if (of->more == 0 || of->until > now)
			continue;
		log_line(LOG_NOTICE, "%u more: %s", of->more, of->text);
		of->more = 0;
		of->until = now + REPORT_LIMIT_MS;
	}
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Returns when the next sum is due, or -1. */
static int64_t next_sum(void)
{
	int64_t first = -1;
	size_t i;

	for (i = 0; i < source_count; i++)
		if (sources[i].more > 0)
			first = earlier(first, sources[i].until);
	return first;
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
			 (unsigned long)c->uid, req->service, req->rhost);
	else if (!right)
		log_line(LOG_NOTICE, "password check failed for user (%s) "
			 "service=%s rhost=%s", req->user, req->service,
			 req->rhost);
}

/* ---- the supervisor ---- */

static struct sockaddr_un address;
static socklen_t address_len;	/* 0: no supervisor */
static int64_t period;		/* ms between two signs of life; 0: none */
static int64_t next_sign;

/*
 * Reads how long the supervisor waits for a sign of life, which it may want
 * from another process.  It gets three in that time.
 */
static void read_watchdog(void)
{
	const char *pid = getenv("WATCHDOG_PID");
	const char *usec = getenv("WATCHDOG_USEC");

	if (usec && (!pid || strtol(pid, NULL, 10) == getpid()))
		period = strtoll(usec, NULL, 10) / 3000;
	if (period < 0 || period > WATCHDOG_MS)
		period = period < 0 ? 0 : WATCHDOG_MS;
}

/* A path, or "@" and an abstract name, which has no byte of 0 at its end. */
void report_read_environment(void)
{
	const char *name = getenv("NOTIFY_SOCKET");
	const size_t len = name ? strlen(name) : 0;

	if (len < 2 || len >= sizeof(address.sun_path) ||
	    (name[0] != '/' && name[0] != '@'))
		return;
	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, name, len);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	address_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	read_watchdog();
}

static bool has_supervisor(void)
{
	return address_len > 0;
}

/* Sends without waiting.  Returns false if another try may succeed later. */
static bool tell(const char *text)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool sent;

	if (fd < 0)
		return false;
	sent = sendto(fd, text, strlen(text), MSG_NOSIGNAL,
		      (const struct sockaddr *)&address, address_len) >= 0 ||
		(errno != EAGAIN && errno != ENOBUFS);
	close(fd);
	return sent;
}

/* Users can fill the queue of the supervisor's socket. */
static void give_sign_of_life(int64_t now)
{
	int64_t pause = period;

	if (period == 0 || now < next_sign)
		return;
	if (!tell("WATCHDOG=1") && pause > SIGN_AGAIN_MS)
		pause = SIGN_AGAIN_MS;
	next_sign = now + pause;
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

struct counts {
	unsigned long hashing, waiting, answered, converted;
};

static struct counts told;	/* what the supervisor knows, */
static bool told_ready;		/* if it knows anything, */
static int64_t tell_at;		/* and when it may hear the next, in ms */

static struct counts count(const struct service *s)
{
	return (struct counts){
		.hashing = service_hashing(s), .waiting = s->sched.count,
		.answered = s->answered, .converted = s->converted
	};
}

static bool is_told(const struct service *s)
{
	const struct counts new = count(s);

	return told_ready && new.hashing == told.hashing &&
		new.waiting == told.waiting &&
		new.answered == told.answered &&
		new.converted == told.converted;
}

/* READY=1 is sent each time, in case the first one was lost. */
static void send_status(const struct service *s, int64_t now)
{
	const struct counts c = count(s);
	char h[32], w[32], a[32], n[32], text[256];

	snprintf(text, sizeof(text), "READY=1\nSTATUS=%s hashing, %s waiting, "
		 "%s answered, %s converted", commas(c.hashing, h),
		 commas(c.waiting, w), commas(c.answered, a),
		 commas(c.converted, n));
	tell_at = now + STATUS_MS;
	if (!tell(text))
		return;
	told = c;
	told_ready = true;
}

void report_tick(const struct service *s)
{
	const int64_t now = clock_ms();

	write_sums(now);
	give_sign_of_life(now);
	if (has_supervisor() && s->end == 0 && !is_told(s) && now >= tell_at)
		send_status(s, now);
}

void report_end(void)
{
	write_sums(clock_ms() + REPORT_LIMIT_MS);
	if (has_supervisor())
		(void)tell("STOPPING=1");
}

int64_t report_wake(const struct service *s)
{
	const int64_t wake = earlier(next_sum(),
				     period == 0 ? -1 : next_sign);

	if (!has_supervisor() || s->end > 0 || is_told(s))
		return wake;
	return earlier(wake, tell_at);
}
