/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends answers from workers to modules when the brake allows it. */
#include "answers.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>

#include "brake-file.h"
#include "report.h"
#include "src/config/paths.h"

#define LOCK_MS 2000
#define LOCK_TICK_MS 20

static void tell(const struct connection *c, enum control_kind kind,
		 uint32_t number)
{
	const struct control control = { kind, number };

	(void)send(c->fd, &control, sizeof(control),
		   MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int id_of(const struct service *s, const struct connection *c)
{
	return (int)(c - s->connections);
}

/* ---- the file ---- */

void answers_open(struct service *s)
{
	s->brake_file = brake_file_open(PATH_BRAKE);
	if (s->brake_file < 0)
		report_line(s, REPORT_SELF, LOG_ERR, "cannot open "
			    "/run/lyra2/brake: %s", strerror(errno));
}

/*
 * Comes before a decision.  Returns false while another process has the lock,
 * for LOCK_MS at most: a user may be able to stop that process.  After LOCK_MS,
 * or without a file, the service decides from memory, and writes later.
 */
static bool begin(struct service *s, int64_t *now)
{
	if (s->brake_file < 0)
		answers_open(s);
	*now = brake_file_now();
	s->brake_locked = s->brake_file >= 0 &&
		brake_file_lock(s->brake_file, 0) == 0;
	if (!s->brake_locked && s->brake_file >= 0) {
		if (s->brake_busy == 0)
			s->brake_busy = *now;
		return *now - s->brake_busy >= LOCK_MS;
	}
	s->brake_busy = 0;
	*now = brake_file_now();
	if (s->brake_locked &&
	    brake_file_load(s->brake_file, &s->brake, *now) > 0)
		report_line(s, REPORT_SELF, LOG_ERR, "/run/lyra2/brake is "
			    "damaged: every user has the highest penalty");
	return true;
}

static void commit(struct service *s, int64_t now)
{
	if (s->brake_locked &&
	    brake_file_save(s->brake_file, &s->brake, now) < 0)
		report_line(s, REPORT_SELF, LOG_ERR, "cannot write "
			    "/run/lyra2/brake: %s", strerror(errno));
}

/* ---- answers ---- */

/*
 * Root's own programs need no brake, because no user can kill them between the
 * answer and the record of the failure.  Members of the group of /etc/shadow
 * could read the hashes.  A LISTED service has many clients: a wrong password
 * of one must not delay the others.
 */
bool answers_braked(const struct connection *c)
{
	return c->req.caller != 0 && c->peer.rank != MEMBER &&
		c->peer.rank != LISTED;
}

/* Rule 10 of service.h. */
static void hold(struct service *s, const struct connection *c)
{
	const struct connection *other;
	unsigned waiting = 0;

	SERVICE_EACH(s, other)
		waiting += (other->waits || other->stores) &&
			other->source == c->source;
	sched_hold(&s->sched, c->source, waiting >= SERVICE_HELD);
}

void answers_stores(struct service *s, struct connection *c)
{
	if (c->stores)
		return;
	c->stores = true;
	s->waiting++;
	hold(s, c);
}

void answers_add(struct service *s, struct connection *c, bool right, bool own)
{
	if (c->answered || brake_add(&s->brake, id_of(s, c), c->owner, own,
				     brake_file_now()) < 0) {
		tell(c, CONTROL_NEVER, 0);
		return;
	}
	c->answered = c->waits = true;
	c->right = right;
	s->waiting++;
	hold(s, c);
}

/*
 * The answer to a wrong password is never free.  lyra2_chkpwd has no later PAM
 * module that could refuse, so the answer to a correct password is free at
 * once.
 */
static void leave(struct service *s, struct connection *c, int64_t now)
{
	c->waits = false;
	s->waiting--;
	if (!c->right)
		brake_end(&s->brake, id_of(s, c));
	else if (c->peer.rank != ROOT)
		brake_free(&s->brake, id_of(s, c), now);
}

void answers_release(struct service *s)
{
	static int leaving[BRAKE_WAITING];
	int n = 0, i;
	int64_t now;

	if (s->waiting == 0 || brake_wake(&s->brake, brake_file_now()) != 0 ||
	    !begin(s, &now))
		return;
	while ((leaving[n] = brake_next(&s->brake, now)) >= 0) {
		leave(s, &s->connections[leaving[n]], now);
		if (++n == BRAKE_WAITING)
			break;
	}
	commit(s, now);
	/*
	 * Only now: if the penalty can be written, it is in the file before the
	 * answer leaves.
	 */
	for (i = 0; i < n; i++) {
		tell(&s->connections[leaving[i]], CONTROL_LEAVE, 0);
		hold(s, &s->connections[leaving[i]]);
	}
}

void answers_free(struct service *s, struct connection *c)
{
	int64_t now;

	if (!c->answered || c->waits || !c->right || c->peer.rank != ROOT)
		return;
	if (!begin(s, &now))
		now = brake_file_now();
	brake_free(&s->brake, id_of(s, c), now);
	commit(s, now);
}

void answers_end(struct service *s, struct connection *c)
{
	const bool waited = c->waits || c->stores;

	s->waiting -= waited;
	c->waits = c->stores = false;
	brake_end(&s->brake, id_of(s, c));
	if (waited)
		hold(s, c);
}

int64_t answers_wake(struct service *s)
{
	int64_t ms = -1;

	if (s->waiting > 0)
		ms = brake_wake(&s->brake, brake_file_now());
	return ms >= 0 && ms < LOCK_TICK_MS && s->brake_busy != 0 ?
		LOCK_TICK_MS : ms;
}

void answers_comfort(struct service *s)
{
	struct connection *c;
	int64_t ms, now;

	if (s->waiting == 0)
		return;
	SERVICE_EACH(s, c) {
		now = brake_file_now();
		if (!c->waits || c->told ||
		    !brake_failed(&s->brake, id_of(s, c), now))
			continue;
		ms = brake_wait(&s->brake, id_of(s, c), now);
		if (ms > PATIENCE_SECONDS * 1000)
			tell(c, CONTROL_WAIT, (uint32_t)((ms + 999) / 1000));
		c->told = true;
	}
}
