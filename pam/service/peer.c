/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the peer of a connection: its user, and its rights. */
#include "peer.h"

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "askers.h"
#include "src/config/paths.h"

#define MAX_GROUPS 65536	/* NGROUPS_MAX of Linux */

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
	struct stat st;
	bool may_read;

	if (cred->uid == 0)
		return ROOT;
	may_read = stat(PATH_SHADOW, &st) == 0 && st.st_mode & S_IRGRP;
	if (may_read && in_group(fd, st.st_gid))
		return MEMBER;
	if (askers_have(cred->uid))
		return LISTED;
	return may_read && cred->gid == st.st_gid ? HELPER : STRANGER;
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
