/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to lyra2d: to the public service, or to a private one. */
#ifndef PAM_LYRA2_LINK_H
#define PAM_LYRA2_LINK_H

#include <security/pam_modules.h>
#include <sys/types.h>

#include "pam/protocol/client.h"

struct link {
	int fd;			/* -1: none */
	ino_t ino;		/* of the socket */
	pid_t owner;		/* the process that opened it */
	pid_t child;		/* of spawn_private(); 0: a public service */
	bool alone;		/* the public service was silent */
	bool used;		/* for a hash: no other question may follow */
	bool admits;		/* lyra2d waits for TELL_ADMITTED */
	struct hello hello;
};

/*
 * Returns the link of the handle, and makes it if there is none.  Returns NULL
 * without memory.  pam_end(3) ends the link.
 */
struct link *link_kept(pam_handle_t *pamh);

/*
 * Connects to this system's public service, until the time end.  Returns
 * NO_SERVICE if no process listens, if the socket is not root's, or if hello is
 * of another protocol or system.
 */
enum outcome link_connect(struct link *l, int64_t end);

/*
 * Starts a private service.  Returns 0, or -1 with errno.  *missing: execve(2)
 * says that there is no such program, or that it is forbidden.
 */
int link_start(struct link *l, bool *missing);

/* Ends the link.  A private service ends with it. */
void link_end(struct link *l);

/*
 * Comes at the end of each call of the module.  Waits for a private service,
 * and leaves nothing but an answer of the public one that may be admitted.
 */
void link_rest(pam_handle_t *pamh);

/* All modules have let the user in. */
void link_admit(pam_handle_t *pamh);

#endif
