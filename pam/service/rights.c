/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds who may ask for what: see the rules in rights.h. */
#include "rights.h"

#include <endian.h>
#include <errno.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <security/_pam_types.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <syslog.h>

#include "configuration.h"
#include "pam/work/answer.h"
#include "pam/work/log.h"
#include "pam/work/login.h"
#include "pam/work/set-password.h"
#include "src/account/passwd.h"
#include "src/config/paths.h"
#include "uids.h"

#define ACL_NAME "system.posix_acl_access"
#define CONNECT (ACL_READ | ACL_WRITE)
#define NO_ID ((uid_t)ACL_UNDEFINED_ID)
#define MAX_GROUPS 65536	/* NGROUPS_MAX of Linux */

static bool is_open;
static uid_t ids[OPTIONS_ASKERS];
static size_t count;

static bool is_listed(uid_t uid)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (ids[i] == uid)
			return true;
	return false;
}

/* ---- the ACL of the socket ---- */

struct acl {
	struct posix_acl_xattr_header header;
	struct posix_acl_xattr_entry entries[4 + OPTIONS_ASKERS];
};

static void put(struct acl *acl, size_t *n, int tag, int perm, uid_t id)
{
	acl->entries[(*n)++] = (struct posix_acl_xattr_entry){
		htole16((uint16_t)tag), htole16((uint16_t)perm), htole32(id)
	};
}

/*
 * Returns the rights of the group, or -1 with errno.  If there is an ACL, the
 * mode does not have them.
 */
static int group_rights(bool *has_acl)
{
	struct acl acl;
	struct stat st;
	const ssize_t len = lgetxattr(PATH_SOCKET, ACL_NAME, &acl, sizeof(acl));
	size_t i;

	*has_acl = len > 0;
	if (len < 0 && errno != ENODATA && errno != ENOTSUP)
		return -1;
	for (i = 0; len > 0 && i < ((size_t)len - sizeof(acl.header)) /
	     sizeof(acl.entries[0]); i++)
		if (le16toh(acl.entries[i].e_tag) == ACL_GROUP_OBJ)
			return le16toh(acl.entries[i].e_perm);
	return lstat(PATH_SOCKET, &st) < 0 ? -1 : (int)(st.st_mode >> 3 & 07);
}

/* Writes the ACL.  Without users, it equals the mode. */
static int set_acl(void)
{
	struct acl acl = { { htole32(POSIX_ACL_XATTR_VERSION) }, { { 0 } } };
	bool has_acl;
	const int group = group_rights(&has_acl);
	size_t n = 0, i;

	if (group < 0)
		return -1;
	if (count == 0 && !has_acl)
		return 0;
	put(&acl, &n, ACL_USER_OBJ, CONNECT, NO_ID);
	for (i = 0; i < count; i++)
		put(&acl, &n, ACL_USER, CONNECT, ids[i]);
	put(&acl, &n, ACL_GROUP_OBJ, group, NO_ID);
	if (count > 0)
		put(&acl, &n, ACL_MASK, CONNECT, NO_ID);
	put(&acl, &n, ACL_OTHER, 0, NO_ID);
	return lsetxattr(PATH_SOCKET, ACL_NAME, &acl, sizeof(acl.header) +
			 n * sizeof(acl.entries[0]), 0);
}

/* ---- the list of ask_for_others ---- */

/* Adds a user.  Returns -1 if the user could not be looked up now. */
static int add(const char *name)
{
	struct passwd_user user;
	const int code = passwd_find(name, &user);

	if (code == PAM_SYSTEM_ERR)
		return -1;
	if (code != PAM_SUCCESS && code != PAM_IGNORE)
		log_line(LOG_ERR, "ask_for_others: no user %s in /etc/passwd",
			 name);
	else if (user.uid == 0)
		log_line(LOG_ERR, "ask_for_others: %s is root, who may ask "
			 "anyway", name);
	else if (!is_listed(user.uid))
		ids[count++] = user.uid;
	return 0;
}

static int read_list(const struct options *o)
{
	char text[sizeof(o->askers)], *rest, *name;
	int failed = 0;

	memcpy(text, o->askers, sizeof(text));
	count = 0;
	for (name = strtok_r(text, " \t", &rest); name && !failed;
	     name = strtok_r(NULL, " \t", &rest))
		failed = add(name);
	return failed;
}

const struct options *rights_refresh(void)
{
	static struct version passwd;
	static char had[OPTIONS_ASKERS_TEXT + 1];
	static int failed;
	const struct options *o = configuration();
	const bool other = version_changed(&passwd, PATH_PASSWD);

	if (!other && !failed && strcmp(had, o->askers) == 0)
		return o;
	memcpy(had, o->askers, sizeof(had));
	failed = read_list(o);
	if (!is_open && set_acl() < 0)
		log_line(LOG_ERR, "cannot change who may connect, for "
			 "ask_for_others: %s", strerror(errno));
	return o;
}

/* Rule 4 */
static bool is_listed_now(uid_t uid)
{
	rights_refresh();
	return is_listed(uid);
}

/* ---- the peer ---- */

/*
 * Returns true if the file has an ACL, or may have one: then the mode shows the
 * ACL's mask, and not what the group may.
 */
static bool shadow_has_acl(void)
{
	return getxattr(PATH_SHADOW, ACL_NAME, NULL, 0) >= 0 ||
		(errno != ENODATA && errno != ENOTSUP);
}

bool rights_group(gid_t *group)
{
	struct stat st;

	if (stat(PATH_SHADOW, &st) < 0 || !(st.st_mode & S_IRGRP) ||
	    shadow_has_acl())
		return false;
	*group = st.st_gid;
	return true;
}

void rights_open(void)
{
	is_open = true;
}

bool rights_door(gid_t *group)
{
	struct stat st;

	if (rights_group(group))
		return true;
	if (stat(PATH_CHKPWD, &st) < 0 || !(st.st_mode & S_ISGID) ||
	    st.st_uid != 0 || st.st_gid == 0)
		return false;
	*group = st.st_gid;
	return true;
}

static bool in_group(int fd, gid_t group)
{
	static gid_t groups[MAX_GROUPS];
	socklen_t len = sizeof(groups);
	size_t i;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) < 0)
		return false;
	for (i = 0; i < len / sizeof(groups[0]); i++)
		if (groups[i] == group)
			return true;
	return false;
}

/* Returns what any user is by the open door, or -1. */
static int rank_of_user(uid_t uid)
{
	const int found = uids_have(uid);

	return found < 0 ? -1 : found ? OWN : STRANGER;
}

static int rank(int fd, const struct ucred *cred)
{
	gid_t group;

	if (cred->uid == 0)
		return ROOT;
	if (rights_group(&group) && in_group(fd, group))
		return MEMBER;
	if (is_listed_now(cred->uid))
		return LISTED;
	if (is_open)
		return rank_of_user(cred->uid);
	return rights_door(&group) && cred->gid == group ? OWN : STRANGER;
}

int rights_peer(int fd, struct peer *peer)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);
	int found;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0)
		return -1;
	found = rank(fd, &cred);
	if (found < 0)
		return -1;
	*peer = (struct peer){ cred.uid, (enum rank)found };
	return 0;
}

/* ---- operations ---- */

static const struct operation table[] = {
	{ OP_VERIFY, OWN, login_verify, NULL },
	{ OP_STATUS, OWN, NULL, answer_status },
	{ OP_SET, ROOT, set_password, NULL },
};

const struct operation *rights_operation(uint32_t number)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].number == number)
			return &table[i];
	return NULL;
}

/* Without memory or a descriptor it may be. */
static bool may_be_root(const char *name)
{
	struct passwd_user user;
	const int code = passwd_find(name, &user);

	return code == PAM_SYSTEM_ERR ||
		(code != PAM_USER_UNKNOWN && user.uid == 0);
}

bool rights_allow(const struct operation *op, const struct peer *peer,
		  const struct request *req)
{
	if (peer->rank < op->least)
		return false;
	switch (peer->rank) {
	case STRANGER:
		return false;
	case OWN:
		return passwd_is_of(req->user, peer->uid);
	case LISTED:		/* the list may have changed since */
		return is_listed_now(peer->uid) && !may_be_root(req->user);
	case MEMBER:
	case ROOT:
		return true;
	}
	return false;
}
