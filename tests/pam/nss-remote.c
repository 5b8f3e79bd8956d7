/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A name service with one user, "remote", whose password is elsewhere: it
 * answers as sssd and winbind do.  Any text may precede that name; with "blank"
 * there is no password.
 */
#include <errno.h>
#include <nss.h>
#include <pwd.h>
#include <stddef.h>
#include <string.h>

__attribute__((visibility("default")))
enum nss_status _nss_remote_getpwnam_r(const char *name, struct passwd *pw,
					  char *buf, size_t size, int *error);

enum nss_status _nss_remote_getpwnam_r(const char *name, struct passwd *pw,
					  char *buf, size_t size, int *error)
{
	static const char text[] = "remote\0*\0/";
	const char *last = strstr(name, text);

	if (!last || strcmp(last, text) != 0) {
		*error = ENOENT;
		return NSS_STATUS_NOTFOUND;
	}
	if (size < sizeof(text)) {
		*error = ERANGE;
		return NSS_STATUS_TRYAGAIN;
	}
	memcpy(buf, text, sizeof(text));
	*pw = (struct passwd){
		.pw_name = buf, .pw_uid = 20001,
		.pw_passwd = buf + (strstr(name, "blank") ? 8 : 7),
		.pw_gid = 20001, .pw_gecos = buf + 9, .pw_dir = buf + 9,
		.pw_shell = buf + 9,
	};
	return NSS_STATUS_SUCCESS;
}
