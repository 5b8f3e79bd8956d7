/* SPDX-License-Identifier: BSD-2-Clause */
/* The side of those who ask lyra2d: the module, and lyra2_chkpwd(8). */
#ifndef PAM_LYRA2_CLIENT_H
#define PAM_LYRA2_CLIENT_H

#include <stdint.h>

#include "request.h"

enum outcome {
	DONE,
	AGAIN,		/* busy, or ended: try again */
	SILENT,		/* nothing came in time */
	NO_RIGHT,	/* only lyra2_chkpwd(8) may connect for it */
	NO_SERVICE	/* for this process */
};

/*
 * Limits send(2) to ms milliseconds, and connect(2), which waits while the
 * backlog is full.  Returns 0, or -1 with errno.
 */
int client_limit(int fd, int ms);

/*
 * Connects to the public service, until the time end of clock_ms().  Returns
 * DONE, or why there is no connection, with errno.  Any descriptor in *fd, or
 * -1, is the caller's to close.
 */
enum outcome client_connect(int *fd, int64_t end);

/*
 * Waits for hello until the time end.  Returns NO_SERVICE if that is of another
 * protocol or system.
 */
enum outcome client_hello(int fd, int64_t end, struct hello *hello);

/*
 * Learns of each reply before the result.  Returns the milliseconds for which
 * the user waits, as REPLY_WAIT says.
 */
typedef int64_t client_heard(void *data, const struct reply *reply);

/*
 * Reads replies up to the result, the first within ms milliseconds.  The
 * service lives as long as it sends heartbeats, but these do not prolong the
 * wait without end.  Returns DONE, with the result in *reply; AGAIN or SILENT.
 * *working: a worker may have stored something.
 */
enum outcome client_hear(int fd, int ms, struct reply *reply, bool *working,
			 client_heard *heard, void *data);

#endif
