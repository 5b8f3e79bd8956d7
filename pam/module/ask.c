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
#include "spawn.h"
#include "src/config/paths.h"

#define TRY_MS 30000
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

/*
 * Reads replies up to the result.  There are two waits: for a turn, and after
 * REPLY_WORKING for the hash.  Heartbeats do not prolong them.
 */
static enum outcome hear_verdict(pam_handle_t *pamh, const struct options *o,
				 const struct link *l, bool *working,
				 int *verdict)
{
	int64_t end = clock_ms() + QUEUE_SECONDS * 1000;
	struct reply reply;

	while (clock_ms() < end) {
		if (!request_wait(l->fd, *working ? (int)(end - clock_ms()) :
				  SILENCE_MS))
			return link_silent(l);
		if (reply_recv(l->fd, &reply) < 0 || reply.kind == REPLY_AGAIN)
			return AGAIN;
		if (reply.kind == REPLY_WORKING && !*working) {
			*working = true;
			end = clock_ms() + WORK_SECONDS * 1000;
		}
		if (reply.kind == REPLY_WAIT)
			end += tell_to_wait(pamh, reply.number);
		if (reply.kind == REPLY_LOG &&
		    (reply.number != LOG_DEBUG || o->debug))
			pam_syslog(pamh, reply.number, "%s", reply.text);
		if (reply.kind == REPLY_VERDICT) {
			*verdict = reply.number;
			return DONE;
		}
	}
	return AGAIN;
}

static enum outcome converse(pam_handle_t *pamh, const struct options *o,
			     struct link *l, const struct request *req,
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
	outcome = hear_verdict(pamh, o, l, &working, verdict);
	/* lyra2d may have stored a new password, so OP_SET is not repeated. */
	if (outcome != DONE && req->op == OP_SET && working) {
		*verdict = PAM_AUTHTOK_ERR;
		return DONE;
	}
	l->used = outcome == DONE && secret != NULL;
	if (l->used)
		(void)tell_send(l->fd, TELL_GOT);
	return outcome;
}

/* Logs why "lyra2d --once" could not be started. */
static void log_start(pam_handle_t *pamh)
{
	if (errno == EPROTONOSUPPORT || errno == EBADMSG || errno == EMSGSIZE)
		pam_syslog(pamh, LOG_CRIT, "pam_lyra2 and %s are of different "
			   "versions: install both from one release, and "
			   "start this program again", PATH_LYRA2D);
	else
		pam_syslog(pamh, LOG_CRIT, "cannot start %s: %m", PATH_LYRA2D);
}

static int ask_once(pam_handle_t *pamh, const struct options *o,
		    struct link *l, const struct request *req,
		    const struct secret *secret)
{
	int verdict = l->for_user ? PAM_CRED_UNAVAIL : PAM_AUTHINFO_UNAVAIL;

	if (geteuid() != 0)
		return PAM_AUTHINFO_UNAVAIL;
	if (link_start(l) < 0)
		log_start(pamh);
	else if (converse(pamh, o, l, req, secret, &verdict) != DONE)
		pam_syslog(pamh, LOG_CRIT, "%s --once gave no answer",
			   PATH_LYRA2D);
	if (!l->used)
		link_end(l, false);
	return verdict;
}

/*
 * lyra2_chkpwd is started only for OP_VERIFY.  Without a status, the module
 * asks the user for a password.  Only root's programs set passwords.
 */
static enum outcome ask_chkpwd(pam_handle_t *pamh, const struct request *req,
			       const struct secret *secret, int *verdict)
{
	int code;

	if (req->op != OP_VERIFY)
		return NO_SERVICE;
	code = spawn_chkpwd(req, secret, tell_to_wait, pamh);
	if (code == PAM_TRY_AGAIN)
		return AGAIN;
	*verdict = code;
	return DONE;
}

/*
 * Returns true if the user may be able to connect now, by ask_for_others:
 * lyra2_chkpwd has started the service, or made it look for changes.
 */
static bool may_connect(int verdict)
{
	return verdict == PAM_AUTHINFO_UNAVAIL &&
		faccessat(AT_FDCWD, PATH_SOCKET, W_OK, AT_EACCESS) == 0;
}

static void pause_ms(long ms)
{
	const struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

/*
 * Tries for TRY_MS.  A kept connection may have been closed meanwhile; then the
 * second try follows without a pause.
 */
static enum outcome try_service(pam_handle_t *pamh, const struct options *o,
				struct link *l, const struct request *req,
				const struct secret *secret, int *verdict)
{
	const int64_t end = clock_ms() + TRY_MS;
	bool kept = l->fd >= 0, refused = false;
	enum outcome outcome;

	for (;;) {
		outcome = l->fd >= 0 ? DONE : link_connect(l);
		if (outcome == DONE)
			outcome = converse(pamh, o, l, req, secret, verdict);
		else if (outcome == NO_RIGHT)
			outcome = ask_chkpwd(pamh, req, secret, verdict);
		if (outcome == DONE && l->fd < 0 && !refused &&
		    may_connect(*verdict)) {
			refused = true;
			continue;
		}
		if (outcome == DONE)
			return outcome;
		link_end(l, false);
		if (outcome == NO_SERVICE || clock_ms() >= end)
			return outcome;
		if (!kept)
			pause_ms(PAUSE_MS);
		kept = false;
	}
}

int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret)
{
	struct link *l = link_kept(pamh);
	int verdict = PAM_CRED_UNAVAIL;

	caller_note(pamh, req);
	if (l)
		l->for_user = req->caller != 0;
	if (l && l->used)
		link_end(l, false);
	if (secret && !limits_allow_count())
		pam_syslog(pamh, LOG_ERR, "refusing to verify: RLIMIT_NOFILE "
			   "or RLIMIT_FSIZE is too low to record failures");
	else if (l)
		switch (try_service(pamh, o, l, req, secret, &verdict)) {
		case DONE:
			break;
		case NO_RIGHT:	/* try_service() has replaced this */
		case NO_SERVICE:
			verdict = ask_once(pamh, o, l, req, secret);
			break;
		case AGAIN:
			pam_syslog(pamh, LOG_ERR, "lyra2d gave no answer");
			break;
		}
	if (secret)
		explicit_bzero(secret, sizeof(*secret));
	return verdict;
}

const struct hello *ask_hello(pam_handle_t *pamh)
{
	const struct link *l = link_kept(pamh);

	return l ? &l->hello : NULL;
}

void ask_free(pam_handle_t *pamh)
{
	link_free(pamh);
}
