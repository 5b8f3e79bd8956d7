/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the peer of a connection: its user, and its rights. */
#include "peer.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "askers.h"
#include "src/config/paths.h"

#define ACL_NAME "system.posix_acl_access"
#define MAX_GROUPS 65536	/* NGROUPS_MAX of Linux */

/*
 * Returns true if the file has an ACL, or may have one: then the mode shows the
 * ACL's mask, and not what the group may.
 */
static bool has_acl(void)
{
	return getxattr(PATH_SHADOW, ACL_NAME, NULL, 0) >= 0 ||
		(errno != ENODATA && errno != ENOTSUP);
}

bool peer_group(gid_t *group)
{
	struct stat st;

	if (stat(PATH_SHADOW, &st) < 0 || !(st.st_mode & S_IRGRP) ||
	    has_acl())
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

static enum rank rank(int fd, const struct ucred *cred)
{
	gid_t group;
	bool has_group;

	if (cred->uid == 0)
		return ROOT;
	has_group = peer_group(&group);
	if (has_group && in_group(fd, group))
		return MEMBER;
	if (askers_have(cred->uid))
		return LISTED;
	return has_group && cred->gid == group ? HELPER : STRANGER;
}

int peer_read(int fd, struct peer *peer)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0)
		return -1;
	peer->uid = cred.uid;
	peer->rank = rank(fd, &cred);
	return 0;
}
