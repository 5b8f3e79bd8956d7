/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to lyra2d. */
#ifndef PAM_LYRA2_LINK_H
#define PAM_LYRA2_LINK_H

#include <security/pam_modules.h>
#include <sys/types.h>

#include "pam/protocol/request.h"

struct link {
	int fd;			/* -1: none */
	ino_t ino;		/* of the socket */
	bool for_user;		/* a user asks, as with su(1), sudo(8) */
	bool used;		/* for a hash: no other question may follow */
	struct hello hello;
};

enum outcome {
	DONE,
	AGAIN,		/* busy, or ended: try again */
	NO_RIGHT,	/* only lyra2_chkpwd(8) may connect for it */
	NO_SERVICE	/* for this process */
};

/*
 * Returns the link of the handle, and makes it if there is none.  Returns NULL
 * without memory.  link_free() and pam_end(3) end the link.
 */
struct link *link_kept(pam_handle_t *pamh);
void link_free(pam_handle_t *pamh);

/*
 * Connects to this system's service.  Returns NO_SERVICE if no process listens,
 * if the socket is not root's, or if hello is of another protocol or system.
 * Users cannot cause these.
 */
enum outcome link_connect(struct link *l);

/*
 * Returns what a silent service means: NO_SERVICE for root itself, AGAIN for
 * others.  A user who starts a set-user-ID program can make a service seem
 * silent.
 */
enum outcome link_silent(const struct link *l);

/* Starts "lyra2d --once".  Returns 0, or -1 with errno; see hello_recv(). */
int link_start(struct link *l);

/*
 * Closes the link.  free: first tells lyra2d that all modules have let the user
 * in.
 */
void link_end(struct link *l, bool free);

#endif
