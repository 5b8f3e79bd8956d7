/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rights: those of the door, of the peer of a connection, of the users of
 * ask_for_others, and those that each operation needs.
 *
 * The door is open if every user can connect.  Then the kernel refuses packets
 * that carry descriptors, as it can since Linux 6.16: without that, whoever
 * closes one may wait for its user's file system, or for ever.  A door that is
 * not open lets root in, a group, and the users of ask_for_others.
 *
 * The users of ask_for_others in pam_lyra2.conf(5) are services: without the
 * right to read hashes, they may have the password of any user but root
 * verified.
 *
 *  1. Their names are in /etc/passwd.  Root, and a name that is not there, are
 *     left out and logged.
 *  2. They can connect: if the door is not open, by the ACL of the socket,
 *     which lists no one else.
 *  3. List and ACL follow a change of the configuration or of /etc/passwd,
 *     before the next connection is looked at.
 *  4. A user who is no longer listed has no right, connected or not.
 */
#ifndef PAM_LYRA2_RIGHTS_H
#define PAM_LYRA2_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "pam/work/job.h"
#include "src/config/options.h"

/*
 * The rank of a peer, by what the kernel says.  Each has the rights of those
 * before it.
 */
enum rank {
	STRANGER,	/* of the open door: it has no line in /etc/passwd; of
			   the other: it may have got a descriptor */
	OWN,		/* may ask about its own account: each user by the open
			   door, and who has the effective group of
			   rights_door(), as lyra2_chkpwd(8) has */
	LISTED,		/* its user is one of ask_for_others */
	MEMBER,		/* the group of rights_group() is a supplementary one */
	ROOT
};

struct peer {
	uid_t uid;	/* effective */
	enum rank rank;
};

struct operation {
	uint32_t number;	/* enum op */
	enum rank least;	/* of those who may ask */
	/*
	 * One of the two is set.  work runs in a worker, with a secret and a
	 * slot; the other is called at once.
	 */
	job_function *work;
	void (*at_once)(int fd, const struct request *req);
};

/*
 * Finds the group of /etc/shadow.  Returns false if it has no right here: the
 * file's mode does not let it read, or the file has an ACL.
 */
bool rights_group(gid_t *group);

/* The door is open: to be called before the first connection. */
void rights_open(void);

/*
 * Finds the group that may connect if the door is not open: that of
 * rights_group(), or else the one to which lyra2_chkpwd is set-group-ID.
 * Returns false if there is none.
 */
bool rights_door(gid_t *group);

/*
 * Follows a change of the configuration or of /etc/passwd: rule 3.  Returns the
 * configuration.
 */
const struct options *rights_refresh(void);

/*
 * Asks the kernel for the peer of fd.  Returns 0, or -1 if that or /etc/passwd
 * cannot be read.
 */
int rights_peer(int fd, struct peer *peer);

/*
 * Returns the operation with this number.  NULL: there is none, and the
 * connection is to be closed.
 */
const struct operation *rights_operation(uint32_t number);

/*
 * Returns true if the peer may request the operation.  An OWN peer may request
 * it only for a name of its user ID.  A LISTED peer may request it for any
 * user but root.
 */
bool rights_allow(const struct operation *op, const struct peer *peer,
		  const struct request *req);

#endif
