/* SPDX-License-Identifier: BSD-2-Clause */
/* failure.c - failed attempts of one PAM handle: counted and logged. */
#include "failure.h"

#include <security/pam_ext.h>
#include <security/pam_modutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#define MAX_TRIES 3	/* of pam_unix(8) */

struct failure {
	int count;
	char logname[64];
	char user[256];	/* empty: the user is unknown, and may be a password */
};

static const char *item(const pam_handle_t *pamh, int type)
{
	const void *value;

	if (pam_get_item(pamh, type, &value) != PAM_SUCCESS || !value)
		return "";
	return value;
}

/* "authentication failure; ..." and what follows in pam_unix(8)'s line. */
static void log_failure(pam_handle_t *pamh, const struct failure *f,
			const char *what)
{
	pam_syslog(pamh, LOG_NOTICE,
		   "%s; logname=%s uid=%d euid=%d tty=%s ruser=%s rhost=%s "
		   "%s%s", what, f->logname, (int)getuid(), (int)geteuid(),
		   item(pamh, PAM_TTY), item(pamh, PAM_RUSER),
		   item(pamh, PAM_RHOST), f->user[0] ? " user=" : "", f->user);
}

/* Called by libpam at pam_end(3), or when new data takes the place. */
static void forget(pam_handle_t *pamh, void *data, int status)
{
	struct failure *f = data;
	const char *service = item(pamh, PAM_SERVICE);
	char what[64];

	if (!f || ((unsigned)status & (PAM_DATA_REPLACE | PAM_DATA_SILENT)))
		goto out;
	if (f->count > 1) {
		snprintf(what, sizeof(what), "%d more authentication failure%s",
			 f->count - 1, f->count == 2 ? "" : "s");
		log_failure(pamh, f, what);
	}
	if (f->count > MAX_TRIES)
		pam_syslog(pamh, LOG_NOTICE,
			   "service(%s) ignoring max retries; %d > %d",
			   service[0] ? service : "**unknown**", f->count,
			   MAX_TRIES);
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
		pam_syslog(pamh, LOG_CRIT, "no memory for failure recorder");
		return code;
	}
	if (pam_get_data(pamh, key, &before) != PAM_SUCCESS)
		before = NULL;
	fill(pamh, f, user, before);
	/* The next module may know better of what we do not know at all. */
	if (f->count == 1)
		log_failure(pamh, f, "authentication failure");
	else if (f->count >= MAX_TRIES && code != PAM_AUTHINFO_UNAVAIL)
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
	if (code == PAM_USER_UNKNOWN) {
		pam_syslog(pamh, LOG_NOTICE, "check pass; user unknown");
		user = "";
	}
	return count(pamh, key, user, code);
}
