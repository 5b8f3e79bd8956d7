/* SPDX-License-Identifier: BSD-2-Clause */
/* Who is at the other end of a connection. */
#ifndef PAM_LYRA2_PEER_H
#define PAM_LYRA2_PEER_H

#include <stdbool.h>
#include <sys/types.h>

struct peer {
	uid_t uid;	/* effective */
	bool trusted;	/* root, or who may read /etc/shadow by its group */
};

/* Asks the kernel; 0, or -1 with errno. */
int peer_read(int fd, struct peer *peer);

/* Whether /etc/passwd gives this name the user ID of the peer. */
bool peer_is(const struct peer *peer, const char *user);

#endif
