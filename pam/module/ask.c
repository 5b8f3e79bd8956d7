/* SPDX-License-Identifier: BSD-2-Clause */
/* The module's side of a conversation with lyra2d.  Every wait has a limit. */
#include "ask.h"

#include <errno.h>
#include <pwd.h>
#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "item.h"
#include "link.h"
#include "pam/protocol/clock.h"
#include "src/config/paths.h"

#define LINK "lyra2_link"	/* of pam_set_data(3) */
#define TRY_MS 30000
#define PAUSE_MS 100

#define SPARE_FILES 8
#define SPARE_BYTES (1 << 20)

/*
 * Whether the user is elsewhere.  With pam_rhost, sudo(8) names this host, and
 * with fqdn its domain, too.
 */
static bool is_remote(pam_handle_t *pamh)
{
	const char *rhost = item_text(pamh, PAM_RHOST);
	char here[HOST_MAX + 1];
	size_t len;

	if (gethostname(here, sizeof(here)) < 0)
		return rhost[0] != '\0';
	len = strlen(here);
	return rhost[0] != '\0' && (strncmp(rhost, here, len) != 0 ||
		(rhost[len] != '\0' && rhost[len] != '.'));
}

/*
 * The user on whose behalf the application runs.  sudo(8) has changed its real
 * user ID by now, but gives the name of its user.
 */
static uint32_t caller(pam_handle_t *pamh)
{
	const char *ruser = item_text(pamh, PAM_RUSER);
	const struct passwd *pw;

	if (getuid() != 0 || is_remote(pamh) || ruser[0] == '\0')
		return getuid();
	pw = pam_modutil_getpwnam(pamh, ruser);
	return pw ? pw->pw_uid : 0;
}

static void say_where(pam_handle_t *pamh, struct request *req)
{
	req->caller = caller(pamh);
	request_text(req->tty, sizeof(req->tty), item_text(pamh, PAM_TTY));
	request_text(req->rhost, sizeof(req->rhost),
		     item_text(pamh, PAM_RHOST));
}

/* libpam calls this at pam_end(3), and when the data is replaced. */
static void end_link(pam_handle_t *pamh, void *data, int status)
{
	(void)pamh;
	(void)status;
	if (data)
		link_end(data);
	free(data);
}

/* The link that stays with the handle, or NULL if there is no memory. */
static struct link *kept_link(pam_handle_t *pamh)
{
	const void *data;
	struct link *l;

	if (pam_get_data(pamh, LINK, &data) == PAM_SUCCESS && data) {
		l = (struct link *)(uintptr_t)data;
		link_check(l);
		return l;
	}
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->fd = -1;
	if (pam_set_data(pamh, LINK, l, end_link) == PAM_SUCCESS)
		return l;
	free(l);
	return NULL;
}

static enum outcome converse(pam_handle_t *pamh, const struct options *o,
			     struct link *l, const struct request *req,
			     const struct secret *secret, int *verdict)
{
	int limit = SILENCE_MS;
	struct reply reply;

	if (request_send(l->fd, req) < 0)
		return AGAIN;
	/* Who is refused at once may find it closed, with the verdict in it. */
	if (secret && secret_send(l->fd, secret) < 0 && errno != EPIPE &&
	    errno != ECONNRESET)
		return AGAIN;
	for (;;) {
		if (!request_wait(l->fd, limit))
			return link_silent();
		if (reply_recv(l->fd, &reply) < 0 || reply.kind == REPLY_AGAIN)
			break;
		if (reply.kind == REPLY_WORKING)
			limit = WORK_SECONDS * 1000;
		if (reply.kind == REPLY_LOG &&
		    (reply.number != LOG_DEBUG || o->debug))
			pam_syslog(pamh, reply.number, "%s", reply.text);
		if (reply.kind != REPLY_VERDICT)
			continue;
		*verdict = reply.number;
		l->used = secret != NULL;
		if (l->used)
			(void)tell_send(l->fd, TELL_GOT);
		return DONE;
	}
	/* A new password may have been stored. */
	if (req->op != OP_SET || limit == SILENCE_MS)
		return AGAIN;
	*verdict = PAM_AUTHTOK_ERR;
	return DONE;
}

/*
 * The end of the process must not reach a handler of the application, which
 * may take it for one of its own: pam_unix(8) does the same.
 */
static int ask_once(pam_handle_t *pamh, const struct options *o,
		    struct link *l, const struct request *req,
		    const struct secret *secret)
{
	const struct sigaction none = { .sa_handler = SIG_DFL };
	struct sigaction old;
	int verdict = getuid() == 0 ? PAM_AUTHINFO_UNAVAIL : PAM_CRED_UNAVAIL;

	if (geteuid() != 0)
		return PAM_AUTHINFO_UNAVAIL;
	sigaction(SIGCHLD, &none, &old);
	if (link_start(l) < 0)
		pam_syslog(pamh, LOG_CRIT, "cannot start %s: %m", PATH_LYRA2D);
	else if (converse(pamh, o, l, req, secret, &verdict) != DONE)
		pam_syslog(pamh, LOG_CRIT, "%s gave no answer", PATH_LYRA2D);
	link_end(l);
	sigaction(SIGCHLD, &old, NULL);
	return verdict;
}

static void pause_ms(long ms)
{
	const struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

/* A connection that was kept may have been closed meanwhile: no pause then. */
static enum outcome try_service(pam_handle_t *pamh, const struct options *o,
				struct link *l, const struct request *req,
				const struct secret *secret, int *verdict)
{
	const int64_t end = clock_ms() + TRY_MS;
	bool kept = l->fd >= 0;
	enum outcome outcome;

	for (;;) {
		outcome = l->fd >= 0 ? DONE : link_connect(l);
		if (outcome == DONE)
			outcome = converse(pamh, o, l, req, secret, verdict);
		if (outcome == DONE)
			return outcome;
		link_end(l);
		if (outcome == NO_SERVICE || clock_ms() >= end)
			return outcome;
		if (!kept)
			pause_ms(PAUSE_MS);
		kept = false;
	}
}

static bool has_descriptors(void)
{
	int fds[1 + SPARE_FILES];
	size_t n = 0, want = sizeof(fds) / sizeof(fds[0]);
	bool has;

	while (n < want &&
	       (fds[n] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) >= 0)
		n++;
	has = n == want;
	while (n > 0)
		close(fds[--n]);
	return has;
}

/*
 * Who starts su(1) with few descriptors, or lets it write no files, must not
 * get a verdict that pam_faillock(8) then cannot write down.
 */
static bool can_be_counted(void)
{
	struct rlimit size;

	return has_descriptors() && getrlimit(RLIMIT_FSIZE, &size) == 0 &&
		size.rlim_cur >= SPARE_BYTES;
}

int ask_service(pam_handle_t *pamh, const struct options *o,
		struct request *req, struct secret *secret)
{
	struct link *l = kept_link(pamh);
	int verdict = PAM_CRED_UNAVAIL;

	say_where(pamh, req);
	if (l && l->used)
		link_end(l);
	if (secret && !can_be_counted())
		pam_syslog(pamh, LOG_ERR, "no password is verified: the limits "
			   "on files are too low for failures to be counted");
	else if (l)
		switch (try_service(pamh, o, l, req, secret, &verdict)) {
		case DONE:
			break;
		case NO_SERVICE:
			verdict = ask_once(pamh, o, l, req, secret);
			break;
		case AGAIN:
			pam_syslog(pamh, LOG_ERR, "lyra2d gives no answer");
			break;
		}
	if (secret)
		explicit_bzero(secret, sizeof(*secret));
	return verdict;
}

const struct hello *ask_hello(pam_handle_t *pamh)
{
	const struct link *l = kept_link(pamh);

	return l ? &l->hello : NULL;
}

void ask_counted(pam_handle_t *pamh)
{
	(void)pam_set_data(pamh, LINK, NULL, NULL);
}
