/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts and logs the failed attempts of one PAM handle. */
#include "failure.h"

#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "item.h"
#include "say.h"

struct failure {
	int count;
	char logname[64];
	char user[256];	/* empty if unknown: it may be a mistyped password */
};

/* Writes a line like pam_unix(8)'s: "authentication failure; logname=..." */
static void log_failure(pam_handle_t *pamh, const struct failure *f,
			const char *what)
{
	say(pamh, LOG_NOTICE,
	    "%s; logname=%s uid=%d euid=%d tty=%s ruser=%s rhost=%s "
	    "%s%s", what, f->logname, (int)getuid(), (int)geteuid(),
	    item_text(pamh, PAM_TTY), item_text(pamh, PAM_RUSER),
	    item_text(pamh, PAM_RHOST), f->user[0] ? " user=" : "", f->user);
}

/* libpam calls this at pam_end(3), and when new data replaces the old. */
static void forget(pam_handle_t *pamh, void *data, int status)
{
	struct failure *f = data;
	const char *service = item_text(pamh, PAM_SERVICE);
	char what[64];

	if (!f || ((unsigned)status & (PAM_DATA_REPLACE | PAM_DATA_SILENT)))
		goto out;
	if (f->count > 1) {
		snprintf(what, sizeof(what), "%d more authentication failure%s",
			 f->count - 1, f->count == 2 ? "" : "s");
		log_failure(pamh, f, what);
	}
	if (f->count > FAILURE_MAX_TRIES)
		say(pamh, LOG_NOTICE,
		    "service(%s) ignoring max retries; %d > %d",
		    service[0] ? service : "**unknown**", f->count,
		    FAILURE_MAX_TRIES);
out:
	free(f);
}

static void fill(pam_handle_t *pamh, struct failure *f, const char *user,
		 const struct failure *before)
{
	const char *logname = pam_modutil_getlogin(pamh);

	f->count = before ? before->count + 1 : 1;
	snprintf(f->logname, sizeof(f->logname), "%s", logname ? logname : "");
	snprintf(f->user, sizeof(f->user), "%s", user);
}

static int count(pam_handle_t *pamh, const char *key, const char *user,
		 int code)
{
	struct failure *f = calloc(1, sizeof(*f));
	const void *before;

	if (!f) {
		say(pamh, LOG_CRIT, "no memory for failure recorder");
		return code;
	}
	if (pam_get_data(pamh, key, &before) != PAM_SUCCESS)
		before = NULL;
	fill(pamh, f, user, before);
	if (f->count == 1)
		log_failure(pamh, f, "authentication failure");
	/* PAM_AUTHINFO_UNAVAIL must stay, because the next module decides. */
	else if (f->count >= FAILURE_MAX_TRIES && code != PAM_AUTHINFO_UNAVAIL)
		code = PAM_MAXTRIES;
	if (pam_set_data(pamh, key, f, forget) != PAM_SUCCESS)
		free(f);
	return code;
}

int failure_note(pam_handle_t *pamh, const char *user, int code)
{
	char key[320];

	snprintf(key, sizeof(key), "-LYRA2-FAIL-%s", user);
	if (code == PAM_SUCCESS) {
		pam_set_data(pamh, key, NULL, forget);
		return code;
	}
	/* The password was not checked, so this was no attempt. */
	if (code == PAM_CRED_UNAVAIL)
		return code;
	if (code == PAM_USER_UNKNOWN) {
		say(pamh, LOG_NOTICE, "check pass; user unknown");
		user = "";
	}
	return count(pamh, key, user, code);
}
