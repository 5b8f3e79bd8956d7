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
	bool for_user;		/* at a user's request, as in su(1), sudo(8) */
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
 * The link that stays with the handle, made if there is none; NULL if there is
 * no memory.  link_free() ends it, as pam_end(3) does.
 */
struct link *link_kept(pam_handle_t *pamh);
void link_free(pam_handle_t *pamh);

/*
 * Connects to the service of this system that speaks the module's protocol.
 * There is none where nobody listens, where the socket is not root's, and
 * where hello is of another protocol or system: users cannot cause these.
 */
enum outcome link_connect(struct link *l);

/*
 * What silence means: NO_SERVICE for root itself, AGAIN for others.  A user who
 * starts a set-user-ID program can make a service seem silent.
 */
enum outcome link_silent(const struct link *l);

/* Starts "lyra2d --once"; 0, or -1 with errno, as hello_recv() sets it. */
int link_start(struct link *l);

/* Closes it.  free: says that all modules have let the user in. */
void link_end(struct link *l, bool free);

#endif
