/* SPDX-License-Identifier: BSD-2-Clause */
/* The peer of a connection: its user, and its rights. */
#ifndef PAM_LYRA2_PEER_H
#define PAM_LYRA2_PEER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * The rank of a peer, by what the kernel says.  Each has the rights of those
 * before it.  The group is that of peer_group(), if there is one.
 */
enum rank {
	STRANGER,	/* cannot connect, but may have got a descriptor */
	HELPER,		/* the group is its effective one: lyra2_chkpwd(8) */
	LISTED,		/* its user is one of ask_for_others: askers.h */
	MEMBER,		/* the group is one of its supplementary groups */
	ROOT
};

struct peer {
	uid_t uid;	/* effective */
	enum rank rank;
};

/*
 * Finds the group of /etc/shadow.  Returns false if it has no right here: the
 * file's mode does not let it read, or the file has an ACL.
 */
bool peer_group(gid_t *group);

/* Asks the kernel for the peer of fd.  Returns 0, or -1 with errno. */
int peer_read(int fd, struct peer *peer);

#endif
