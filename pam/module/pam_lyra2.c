/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The six entry points of the module.
 *
 * Return codes, messages and log lines are those of pam_unix(8), so that
 * programs that read them work with either module.
 */
/* libpam looks up these functions; everything else is hidden. */
#pragma GCC visibility push(default)
#include <security/pam_modules.h>
#pragma GCC visibility pop
#include <link.h>
#include <security/pam_ext.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "phases.h"

static void complain(void *pamh, const char *text)
{
	pam_syslog(pamh, LOG_ERR, "%s", text);
}

static int is_unix(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	(void)arg;
	return strcmp(name, "pam_unix.so") == 0;
}

/*
 * Whether libpam has loaded pam_unix(8) for this service.  It loads all
 * modules of a service, of every type, before it calls the first one.
 */
static bool has_unix(void)
{
	return dl_iterate_phdr(is_unix, NULL) != 0;
}

/* The option before_unix has no effect where there is no pam_unix(8). */
static void read_options(struct options *o, pam_handle_t *pamh, int argc,
			 const char **argv)
{
	options_read(o, argc, argv, complain, pamh);
	o->before_unix = o->before_unix && has_unix();
}

/*
 * NIS gave a meaning to names that begin with + or -, and libraries have had
 * bugs with them.
 */
static int get_user(pam_handle_t *pamh, const struct options *o,
		    const char **user)
{
	int code = pam_get_user(pamh, user, NULL);

	if (code == PAM_SUCCESS && ((*user)[0] == '-' || (*user)[0] == '+')) {
		pam_syslog(pamh, LOG_NOTICE, "bad username [%s]", *user);
		return PAM_USER_UNKNOWN;
	}
	if (o->debug && code == PAM_SUCCESS)
		pam_syslog(pamh, LOG_DEBUG, "username [%s] obtained", *user);
	if (o->debug && code != PAM_SUCCESS && code != PAM_CONV_AGAIN)
		pam_syslog(pamh, LOG_DEBUG, "could not obtain username");
	return code;
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc,
			const char **argv)
{
	struct options o;
	const char *user;
	int code;

	read_options(&o, pamh, argc, argv);
	code = get_user(pamh, &o, &user);
	if (code == PAM_CONV_AGAIN)
		return PAM_INCOMPLETE;
	if (code != PAM_SUCCESS)
		return code;
	return auth_user(pamh, (unsigned)flags, &o, user);
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv)
{
	(void)pamh;
	(void)flags;
	(void)argc;
	(void)argv;
	return PAM_SUCCESS;
}

int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc,
		     const char **argv)
{
	struct options o;
	const void *user;

	read_options(&o, pamh, argc, argv);
	if (pam_get_item(pamh, PAM_USER, &user) != PAM_SUCCESS || !user) {
		pam_syslog(pamh, LOG_ERR,
			   "could not identify user (from uid=%lu)",
			   (unsigned long)getuid());
		return PAM_USER_UNKNOWN;
	}
	return account_check(pamh, (unsigned)flags, &o, user);
}

int pam_sm_chauthtok(pam_handle_t *pamh, int flags, int argc,
		     const char **argv)
{
	struct options o;
	const char *user;
	int code;

	read_options(&o, pamh, argc, argv);
	o.nullok = true;	/* an empty password can be changed */
	o.policy.rehash = REHASH_NEVER;	/* the new password brings a new hash */
	code = get_user(pamh, &o, &user);
	if (code != PAM_SUCCESS)
		return code;
	return password_change(pamh, (unsigned)flags, &o, user);
}

int pam_sm_open_session(pam_handle_t *pamh, int flags, int argc,
			const char **argv)
{
	struct options o;

	(void)flags;
	read_options(&o, pamh, argc, argv);
	return session_open(pamh, &o);
}

int pam_sm_close_session(pam_handle_t *pamh, int flags, int argc,
			 const char **argv)
{
	struct options o;

	(void)flags;
	read_options(&o, pamh, argc, argv);
	return session_close(pamh, &o);
}
