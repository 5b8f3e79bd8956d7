/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends answers from workers to modules when the brake allows it. */
#include "answers.h"

#include <errno.h>
#include <security/_pam_types.h>
#include <string.h>
#include <sys/random.h>
#include <syslog.h>
#include <time.h>

#include "brake-file.h"
#include "pam/protocol/clock.h"
#include "pam/work/answer.h"
#include "report.h"

#define AGAIN_MS 20		/* until a file that is locked is tried again */
#define ADMIT_TRIES 10		/* of a millisecond each */
#define NEVER INT64_MAX		/* an earlier answer of the key waits */

/* ---- rule 10 of service.h ---- */

bool answers_is_held(const struct connection *c)
{
	return c->state == BRAKED ||
		(c->state == WORKING && c->work == PARKED);
}

void answers_hold(struct service *s, uint64_t source)
{
	const struct connection *c;
	unsigned held = 0;

	for (SERVICE_EACH(s, c))
		held += answers_is_held(c) && c->source == source;
	sched_hold(&s->sched, source, held >= SERVICE_HELD);
}

/* ---- answers ---- */

/* If the module has gone, poll(2) says so later. */
static void send_verdict(struct service *s, struct connection *c)
{
	const bool held = answers_is_held(c);

	report_verdict(c);
	c->state = ANSWERED;
	c->heard = clock_ms();
	s->answered++;
	(void)reply_send(c->fd, &c->verdict);
	if (held)
		answers_hold(s, c->source);
}

/*
 * Root's own programs need no brake, because no user can kill them between the
 * answer and the record of the failure.  Members of the group of /etc/shadow
 * could read the hashes.  A LISTED service has many clients: a wrong password
 * of one must not delay the others.  An answer that says nothing about a
 * password may leave at once.
 */
static bool is_braked(const struct connection *c)
{
	return c->req.op == OP_VERIFY && c->req.caller != 0 &&
		c->peer.rank != MEMBER && c->peer.rank != LISTED &&
		(c->verdict.number == PAM_SUCCESS ||
		 c->verdict.number == PAM_AUTH_ERR);
}

static bool same_key(const struct connection *c, const struct connection *o)
{
	return c->req.caller == o->req.caller && c->own == o->own;
}

/* Returns how many answers of the key have waited for longer. */
static unsigned count_before(const struct service *s,
			     const struct connection *me)
{
	const struct connection *c;
	unsigned n = 0;

	for (SERVICE_EACH(s, c))
		n += c->state == BRAKED && c != me && same_key(c, me) &&
			c->order < me->order;
	return n;
}

void answers_add(struct service *s, struct connection *c)
{
	if (!is_braked(c)) {
		send_verdict(s, c);
		return;
	}
	c->state = BRAKED;
	c->since = brake_file_now();
	c->order = ++s->order;
	c->look_at = count_before(s, c) > 0 ? NEVER : c->since;
	answers_hold(s, c->source);
}

/* The next answer of the key is the first now. */
void answers_end(struct service *s, struct connection *me)
{
	struct connection *c, *next = NULL;

	if (me->look_at == NEVER)
		return;
	for (SERVICE_EACH(s, c))
		if (c->state == BRAKED && c != me && same_key(c, me) &&
		    (!next || c->order < next->order))
			next = c;
	if (next)
		next->look_at = next->since = brake_file_now();
}

/*
 * Returns the number that an answer leaves with, or 0 if it counts for good.
 * The number only has to differ from the few that the file has.
 */
static uint64_t choose_number(const struct connection *c)
{
	uint64_t number = 0;

	if (c->verdict.number != PAM_SUCCESS)
		return 0;
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) < 0 ||
	    number == 0)
		number = (uint64_t)brake_file_now() << 20 | c->order;
	return number;
}

/*
 * Returns true if the answer is admitted as it leaves: behind lyra2_chkpwd no
 * later PAM module could refuse, in passwd(1) none decides, and for a private
 * service see rule 14 of service.h.
 */
static bool is_admitted(const struct service *s, const struct connection *c)
{
	return c->verdict.number == PAM_SUCCESS &&
		(c->peer.rank != ROOT || service_is_private(s) ||
		 (c->req.flags & FLAG_NO_REHASH));
}

/* With the file: the answer leaves, or it is known when it may. */
static enum brake_state try_file(const struct service *s, struct connection *c,
				 struct brake_file *f, int64_t now,
				 bool *leaves)
{
	struct brake_key *key = &f->keys[c->own];

	if (f->damaged)
		report_line(REPORT_SELF, LOG_ERR, "/run/lyra2/brake.1/"
			    "%lu was damaged: this user has the highest "
			    "penalty",
			    (unsigned long)c->req.caller);
	c->look_at = brake_until(key);
	*leaves = c->look_at <= now;
	if (*leaves && !is_admitted(s, c)) {
		c->number = choose_number(c);
		brake_leave(key, c->number, now);
	}
	return brake_file_give(f, *leaves);
}

/*
 * Returns true if the answer leaves now.  Only then the penalty is in the file,
 * if there is one: rules 3 and 4 of brake-file.h.
 */
static bool may_leave(const struct service *s, struct connection *c)
{
	int64_t now, wait = BRAKE_LONGEST_MS;
	struct brake_file f;
	bool leaves = false;
	enum brake_state state = brake_file_take(&f, c->req.caller, &now);

	if (state == BRAKE_TAKEN)
		state = try_file(s, c, &f, now, &leaves);
	if (state == BRAKE_TAKEN)
		return leaves;
	if (state == BRAKE_NO_PLACE) {
		report_line(REPORT_SELF, LOG_WARNING, "wrong passwords are "
			    "not counted: cannot write /run/lyra2/brake.1: %s",
			    strerror(errno));
		wait = c->verdict.number == PAM_SUCCESS ? 0 :
			BRAKE_SHORTEST_MS;
	} else if (errno != EWOULDBLOCK) {
		report_line(REPORT_SELF, LOG_ERR, "cannot use /run/lyra2/"
			    "brake.1/%lu: %s", (unsigned long)c->req.caller,
			    strerror(errno));
	}
	c->look_at = now + AGAIN_MS;
	return now - c->since >= wait;
}

void answers_release(struct service *s)
{
	const int64_t now = brake_file_now();
	struct connection *c;

	for (SERVICE_EACH(s, c))
		if (c->state == BRAKED && c->look_at <= now &&
		    may_leave(s, c)) {
			answers_end(s, c);
			send_verdict(s, c);
		}
}

/*
 * The lock is held for microseconds.  An answer that cannot be taken back
 * counts.
 */
void answers_admit(struct service *s, struct connection *me)
{
	const struct timespec pause = { 0, 1000000 };
	enum brake_state state = BRAKE_UNUSABLE;
	struct connection *c;
	struct brake_file f;
	int64_t now = 0;
	int i;

	if (me->number == 0)
		return;
	for (i = 0; i < ADMIT_TRIES && state == BRAKE_UNUSABLE; i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		state = brake_file_take(&f, me->req.caller, &now);
	}
	if (state == BRAKE_TAKEN) {
		brake_admit(&f.keys[me->own], me->number);
		(void)brake_file_give(&f, true);
	}
	me->number = 0;
	for (SERVICE_EACH(s, c))
		if (c->state == BRAKED && c->look_at != NEVER &&
		    same_key(c, me))
			c->look_at = now;
}

int64_t answers_wake(const struct service *s)
{
	const struct connection *c;
	int64_t first = NEVER, now;

	for (SERVICE_EACH(s, c))
		if (c->state == BRAKED && c->look_at < first)
			first = c->look_at;
	if (first == NEVER)
		return -1;
	now = brake_file_now();
	return first > now ? first - now : 0;
}

/* A user who has not failed waits for what others of the key will admit. */
static void tell(struct service *s, struct connection *c)
{
	struct brake_file f;
	const struct brake_key *key = &f.keys[c->own];
	int64_t ms, now;

	if (brake_file_take(&f, c->req.caller, &now) != BRAKE_TAKEN)
		return;
	ms = brake_wait(key, count_before(s, c), now);
	c->told = brake_failed(key, now);
	if (c->told && ms > PATIENCE_SECONDS * 1000)
		answer_send(c->fd, REPLY_WAIT, (int)((ms + 999) / 1000));
	(void)brake_file_give(&f, false);
}

void answers_beat(struct service *s)
{
	struct connection *c;

	for (SERVICE_EACH(s, c))
		if (c->state == BRAKED && !c->told)
			tell(s, c);
}
