/* SPDX-License-Identifier: BSD-2-Clause */
/* Who is at the other end of a connection, and what that process may ask. */
#ifndef PAM_LYRA2_PEER_H
#define PAM_LYRA2_PEER_H

#include <stdbool.h>
#include <sys/types.h>

#include "pam/protocol/request.h"

struct peer {
	uid_t uid;	/* effective */
	bool trusted;	/* root, or who may read /etc/shadow by its group */
};

/* Asks the kernel; 0, or -1 with errno. */
int peer_read(int fd, struct peer *peer);

/*
 * Root may ask anything.  Who may read /etc/shadow by its group may ask what
 * changes nothing about anyone, as it could compute the answer.  Others may
 * ask this for the names that /etc/passwd gives their user ID.
 */
bool peer_may_ask(const struct peer *peer, const struct request *req);

#endif
