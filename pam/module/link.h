/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to lyra2d. */
#ifndef PAM_LYRA2_LINK_H
#define PAM_LYRA2_LINK_H

#include <sys/types.h>

#include "pam/protocol/request.h"

struct link {
	int fd;			/* -1: none */
	ino_t ino;		/* of the socket */
	pid_t pid;		/* of "lyra2d --once"; 0: it is the service */
	bool used;		/* for a hash: no other question may follow */
	struct hello hello;
};

enum outcome {
	DONE,
	AGAIN,		/* busy, or ended: try again */
	NO_SERVICE	/* for this process */
};

/*
 * Connects to the service of this system.  Who starts a set-user-ID program
 * can make a service seem silent, but cannot choose that there is none: that
 * takes a real user ID 0, or a system without the socket.
 */
enum outcome link_connect(struct link *l);

/* What silence means: NO_SERVICE for root itself, AGAIN for others. */
enum outcome link_silent(void);

/* Starts "lyra2d --once"; 0, or -1 with errno. */
int link_start(struct link *l);

/*
 * An application may close what it does not know, as daemons do, and have a
 * file of its own by that number: this comes before each use of a link that was
 * kept.
 */
void link_check(struct link *l);

/* Says "counted", closes it, and waits for the end of a process of our own. */
void link_end(struct link *l);

#endif
