/* SPDX-License-Identifier: BSD-2-Clause */
/* The module's side of an exchange with lyra2d.  Every wait has a limit. */
#include "ask.h"

#include <errno.h>
#include <fcntl.h>
#include <security/pam_ext.h>
#include <stdint.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "caller.h"
#include "limits.h"
#include "link.h"
#include "pam/protocol/clock.h"
#include "say.h"
#include "spawn.h"
#include "src/config/paths.h"

/*
 * The first limit is for connect(2) and hello together.  After a silence, a
 * fresh connection shows whether another service has begun meanwhile.  A
 * service that ends connections is asked again for AGAIN_MS, or by a user's own
 * program, which starts no private one, for USER_AGAIN_MS.
 */
#define FIRST_MS (SILENCE_MS - FRESH_MS)
#define FRESH_MS 1000
#define AGAIN_MS 500
#define USER_AGAIN_MS 8000	/* init systems start the next one after 5 s */
#define CHKPWD_TRY_MS 30000
#define PAUSE_MS 100

/* Tells the user to wait.  Returns milliseconds, at most an hour. */
static int64_t tell_to_wait(pam_handle_t *pamh, int seconds)
{
	if (seconds < 0 || seconds > 3600)
		return 0;
	if (seconds > PATIENCE_SECONDS)
		(void)pam_info(pamh, "Too many failed attempts: please wait "
			       "%d seconds.", seconds);
	return seconds * INT64_C(1000);
}

static int64_t heard(void *data, const struct reply *reply)
{
	pam_handle_t *pamh = data;

	return reply->kind == REPLY_WAIT ? tell_to_wait(pamh, reply->number) :
		0;
}

static enum outcome hear_verdict(pam_handle_t *pamh, const struct options *o,
				 const struct link *l, int ms, bool *working,
				 int *verdict)
{
	struct reply reply;
	enum outcome outcome = client_hear(l->fd, ms, &reply, working, heard,
					   pamh);

	if (outcome != DONE)
		return outcome;
	if (reply.text[0] && (reply.priority != LOG_DEBUG || o->debug))
		say(pamh, (int)(reply.priority & LOG_PRIMASK), "%s",
		    reply.text);
	*verdict = reply.number;
	return DONE;
}

static enum outcome exchange(pam_handle_t *pamh, const struct options *o,
			     struct link *l, int ms, const struct request *req,
			     const struct secret *secret, int *verdict)
{
	bool working = false;
	enum outcome outcome;

	if (request_send(l->fd, req) < 0)
		return AGAIN;
	/*
	 * If lyra2d refuses at once, the connection may be closed already, with
	 * the result in it.
	 */
	if (secret && secret_send(l->fd, secret) < 0 && errno != EPIPE &&
	    errno != ECONNRESET)
		return AGAIN;
	outcome = hear_verdict(pamh, o, l, ms, &working, verdict);
	/* lyra2d may have stored a new password, so OP_SET is not repeated. */
	if (outcome != DONE && req->op == OP_SET && working) {
		*verdict = PAM_AUTHTOK_ERR;
		return DONE;
	}
	l->used = outcome == DONE && secret != NULL;
	l->admits = l->used && req->op == OP_VERIFY && *verdict == PAM_SUCCESS;
	if (l->used)
		(void)tell_send(l->fd, TELL_GOT);
	return outcome;
}

static void pause_ms(long ms)
{
	const struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

/* ---- the public service ---- */

/*
 * Returns true if the user may be able to connect now, by ask_for_others:
 * lyra2_chkpwd has made the service look for changes.
 */
static bool may_connect(int verdict)
{
	return verdict == PAM_AUTHINFO_UNAVAIL &&
		faccessat(AT_FDCWD, PATH_SOCKET, W_OK, AT_EACCESS) == 0;
}

/*
 * lyra2_chkpwd is started only for OP_VERIFY.  Without a status, the module
 * asks the user for a password.  Only root's programs set passwords.  Returns
 * NO_RIGHT if lyra2_chkpwd got no answer either.
 */
static enum outcome ask_chkpwd(pam_handle_t *pamh, const struct request *req,
			       const struct secret *secret, int *verdict)
{
	const int64_t end = clock_ms() + CHKPWD_TRY_MS;
	int64_t successor = 0, now;	/* until when it is waited for */

	if (req->op != OP_VERIFY)
		return NO_SERVICE;
	for (;;) {
		*verdict = spawn_chkpwd(req, secret, tell_to_wait, pamh);
		now = clock_ms();
		if (*verdict == PAM_TRY_AGAIN && now >= end && successor > 0)
			return NO_RIGHT;
		if (*verdict == PAM_TRY_AGAIN)
			successor = now + USER_AGAIN_MS;
		else if (*verdict != PAM_AUTHINFO_UNAVAIL || now >= successor)
			return may_connect(*verdict) ? AGAIN : DONE;
		pause_ms(PAUSE_MS);
	}
}

static enum outcome try_public(pam_handle_t *pamh, const struct options *o,
			       struct link *l, int ms,
			       const struct request *req,
			       const struct secret *secret, int *verdict)
{
	enum outcome outcome = l->fd >= 0 ? DONE :
		link_connect(l, clock_ms() + ms);

	if (outcome == DONE)
		outcome = exchange(pamh, o, l, ms, req, secret, verdict);
	else if (outcome == NO_RIGHT)
		outcome = ask_chkpwd(pamh, req, secret, verdict);
	if (outcome != DONE)
		link_end(l);
	return outcome;
}

/*
 * Whether to ask again, because a service has ended.  If there is no other yet,
 * a user's own program waits for one.  Root's starts a private service.
 */
static bool has_ended(enum outcome outcome, bool was_there)
{
	return outcome == AGAIN ||
		(outcome == NO_SERVICE && was_there && geteuid() != 0);
}

/*
 * A kept connection may have been closed meanwhile; then the second try follows
 * without a pause.
 */
static enum outcome ask_public(pam_handle_t *pamh, const struct options *o,
			       struct link *l, const struct request *req,
			       const struct secret *secret, int *verdict)
{
	int64_t end = INT64_MAX;	/* once a service has ended */
	bool kept = l->fd >= 0, was_there = kept;
	enum outcome outcome;

	for (;;) {
		outcome = try_public(pamh, o, l, FIRST_MS, req, secret,
				     verdict);
		if (!has_ended(outcome, was_there) || clock_ms() >= end)
			break;
		if (end == INT64_MAX)
			end = clock_ms() + (geteuid() == 0 ? AGAIN_MS :
					    USER_AGAIN_MS);
		if (!kept)
			pause_ms(PAUSE_MS);
		kept = false;
		was_there = true;
	}
	if (outcome == SILENT)
		outcome = try_public(pamh, o, l, FRESH_MS, req, secret,
				     verdict);
	return outcome == AGAIN || outcome == NO_RIGHT ? SILENT : outcome;
}

/* ---- a private service ---- */

static void log_start(pam_handle_t *pamh)
{
	if (errno == EPROTONOSUPPORT || errno == EBADMSG || errno == EMSGSIZE)
		say(pamh, LOG_CRIT, "pam_lyra2 and %s are of different "
		    "versions: install both from one release, and "
		    "start this program again", PATH_LYRA2D);
	else
		say(pamh, LOG_CRIT, "cannot start %s: %m", PATH_LYRA2D);
}

/*
 * A user can cause that no private service answers, with limits on memory,
 * files or processes.  Then the next module must not hash in its place, as no
 * brake would hold that answer.
 */
static int ask_private(pam_handle_t *pamh, const struct options *o,
		       struct link *l, const struct request *req,
		       const struct secret *secret)
{
	int verdict = req->caller == 0 ? PAM_AUTHINFO_UNAVAIL :
		PAM_CRED_UNAVAIL;
	const bool kept = l->fd >= 0;
	enum outcome outcome;
	bool missing;

	if (!kept && link_start(l, &missing) < 0) {
		log_start(pamh);
		return missing ? PAM_AUTHINFO_UNAVAIL : verdict;
	}
	outcome = exchange(pamh, o, l, SILENCE_MS, req, secret, &verdict);
	if (outcome == DONE)
		return verdict;
	link_end(l);
	/* The user may have typed for longer than it waits. */
	if (kept && outcome == AGAIN)
		return ask_private(pamh, o, l, req, secret);
	say(pamh, LOG_CRIT, "%s --private gave no answer", PATH_LYRA2D);
	return verdict;
}

/* ---- for the phases ---- */

static int ask(pam_handle_t *pamh, const struct options *o, struct link *l,
	       struct request *req, const struct secret *secret)
{
	enum outcome outcome = NO_SERVICE;
	int verdict = PAM_CRED_UNAVAIL;

	if (l->used)
		link_end(l);
	if (!l->alone)
		outcome = ask_public(pamh, o, l, req, secret, &verdict);
	if (outcome == DONE)
		return verdict;
	if (geteuid() != 0) {
		if (outcome == SILENT)
			say(pamh, LOG_ERR, "lyra2d gave no answer");
		return outcome == SILENT ? PAM_CRED_UNAVAIL :
			PAM_AUTHINFO_UNAVAIL;
	}
	l->alone = l->alone || outcome == SILENT;
	req->flags |= l->alone ? FLAG_SILENT : 0;
	return ask_private(pamh, o, l, req, secret);
}

int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret)
{
	struct link *l = link_kept(pamh);
	int verdict = PAM_CRED_UNAVAIL;

	caller_note(pamh, req);
	if (secret && req->caller != 0 && !limits_allow_count())
		say(pamh, LOG_ERR, "refusing to verify: RLIMIT_NOFILE "
		    "or RLIMIT_FSIZE is too low to record failures");
	else if (l)
		verdict = ask(pamh, o, l, req, secret);
	if (secret)
		explicit_bzero(secret, sizeof(*secret));
	return verdict;
}

const struct hello *ask_hello(pam_handle_t *pamh)
{
	const struct link *l = link_kept(pamh);

	return l ? &l->hello : NULL;
}
