/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to lyra2d. */
#include "link.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "spawn.h"

#define KEPT "lyra2_link"	/* of pam_set_data(3) */
#define END_MS 3000		/* for the rehash of a private service */
#define LEFT_MS 500		/* once the link is closed */

static ino_t inode(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) ? st.st_ino : 0;
}

static void note(struct link *l)
{
	l->ino = inode(l->fd);
	l->owner = getpid();
}

/*
 * To be called before a kept link is used.  An application may close
 * descriptors that it does not know, as daemons do, and then have a file of its
 * own with that number.  Or it forks, and both have the link.
 */
static void check(struct link *l)
{
	const bool is_same = l->fd >= 0 && inode(l->fd) == l->ino;

	if (is_same && l->owner == getpid())
		return;
	if (is_same)
		close(l->fd);
	if (l->owner != getpid())
		l->child = 0;
	l->fd = -1;
	l->admits = false;
}

/* shutdown(2), as others may have a copy of the descriptor. */
static void drop(struct link *l)
{
	if (l->fd >= 0) {
		(void)shutdown(l->fd, SHUT_RDWR);
		close(l->fd);
	}
	l->fd = -1;
	l->used = l->admits = false;
}

enum outcome link_connect(struct link *l, int64_t end)
{
	enum outcome outcome = client_connect(&l->fd, end);

	note(l);
	if (outcome == DONE)
		outcome = client_hello(l->fd, end, &l->hello);
	if (outcome != DONE)
		drop(l);
	return outcome;
}

/* What only the system can cause, and no limit that a user may set. */
static bool is_missing(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
		error == EPERM || error == ENOEXEC || error == ELIBBAD;
}

/* Returns why a private service has sent no hello. */
static int fail(struct link *l, int error, bool *missing)
{
	const int exec = l->child > 0 ? spawn_end(l->child, LEFT_MS) : 0;

	l->child = 0;
	drop(l);
	*missing = is_missing(exec);
	errno = exec ? exec : error;
	return -1;
}

int link_start(struct link *l, bool *missing)
{
	int pair[2], error;

	*missing = false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	l->fd = pair[0];
	note(l);
	l->child = spawn_private(pair[1]);
	error = errno;
	close(pair[1]);
	if (l->child < 0)
		return fail(l, error, missing);
	if (client_limit(l->fd, SILENCE_MS) < 0 ||
	    !request_wait(l->fd, SILENCE_MS))
		return fail(l, ETIMEDOUT, missing);
	if (hello_recv(l->fd, &l->hello) < 0)
		return fail(l, errno, missing);
	return 0;
}

void link_end(struct link *l)
{
	check(l);
	drop(l);
	if (l->child > 0)
		(void)spawn_end(l->child, LEFT_MS);
	l->child = 0;
}

/*
 * libpam calls this at pam_end(3), with the status that the application gives,
 * and when the data is replaced.
 */
static void end_kept(pam_handle_t *pamh, void *data, int status)
{
	struct link *l = data;

	(void)pamh;
	if (!l)
		return;
	check(l);
	if (l->admits && (status & ~PAM_DATA_SILENT) == PAM_SUCCESS)
		(void)tell_send(l->fd, TELL_ADMITTED);
	link_end(l);
	free(l);
}

static struct link *find(pam_handle_t *pamh)
{
	const void *data;
	struct link *l;

	if (pam_get_data(pamh, KEPT, &data) != PAM_SUCCESS || !data)
		return NULL;
	l = (struct link *)(uintptr_t)data;
	check(l);
	return l;
}

struct link *link_kept(pam_handle_t *pamh)
{
	struct link *l = find(pamh);

	if (l)
		return l;
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->fd = -1;
	if (pam_set_data(pamh, KEPT, l, end_kept) == PAM_SUCCESS)
		return l;
	free(l);
	return NULL;
}

void link_rest(pam_handle_t *pamh)
{
	struct link *l = find(pamh);

	if (!l || (l->admits && l->child == 0))
		return;
	if (l->child > 0 && l->used)
		(void)request_wait(l->fd, END_MS);
	link_end(l);
}

void link_admit(pam_handle_t *pamh)
{
	struct link *l = find(pamh);

	if (!l)
		return;
	if (l->admits)
		(void)tell_send(l->fd, TELL_ADMITTED);
	link_end(l);
}
