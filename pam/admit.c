/* SPDX-License-Identifier: BSD-2-Clause */
/* admit.c - slots and a queue made of open file description locks. */
#include "admit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "paths.h"

/* Ranges of the file; only the first eight bytes exist. */
#define COUNTER 0			/* number of the next ticket */
#define SLOTS (INT64_C(1) << 32)	/* one byte for each slot */
#define ROOT_SLOT (INT64_C(1) << 33)
#define USER_SLOTS (INT64_C(1) << 34)	/* one byte for each uid */
#define TICKETS (INT64_C(1) << 40)	/* one byte for each ticket */

static_assert(sizeof(off_t) == sizeof(int64_t), "ranges past 2 GiB");

#define WAIT_MS 60000	/* half of sshd's LoginGraceTime */
#define TICK_MS 10

static int set(int fd, int cmd, short type, int64_t start, int64_t len)
{
	struct flock fl = {
		.l_type = type, .l_whence = SEEK_SET,
		.l_start = start, .l_len = len
	};

	return fcntl(fd, cmd, &fl);
}

static int try_slot(int fd, int64_t start)
{
	return set(fd, F_OFD_SETLK, F_WRLCK, start, 1) == 0;
}

/* Whether a ticket before this one is still held by a living process. */
static int others_first(int fd, int64_t ticket)
{
	struct flock fl = {
		.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = TICKETS,
		.l_len = ticket
	};

	if (ticket == 0)
		return 0;
	return fcntl(fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}

/* Draws a number, holding the counter only while it is read and written. */
static int draw(int fd, int64_t *ticket)
{
	ssize_t n;
	int64_t next;
	int rc = -1;

	if (set(fd, F_OFD_SETLKW, F_WRLCK, COUNTER, sizeof(next)))
		return -1;
	n = pread(fd, ticket, sizeof(*ticket), 0);
	if (n >= 0 && n != (ssize_t)sizeof(*ticket))
		*ticket = 0;
	if (n < 0 || *ticket < 0 || *ticket >= INT64_MAX - TICKETS - 1)
		goto out;
	next = *ticket + 1;
	if (pwrite(fd, &next, sizeof(next), 0) == (ssize_t)sizeof(next))
		rc = set(fd, F_OFD_SETLK, F_WRLCK, TICKETS + *ticket, 1);
out:
	set(fd, F_OFD_SETLK, F_UNLCK, COUNTER, sizeof(next));
	return rc;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void tick(void)
{
	struct timespec t = { 0, TICK_MS * 1000000L };

	nanosleep(&t, NULL);
}

static int any_slot(int fd, uint32_t max, uid_t target)
{
	uint32_t i;

	if (target == 0 && try_slot(fd, ROOT_SLOT))
		return 1;
	for (i = 0; i < max; i++)
		if (try_slot(fd, SLOTS + i))
			return 1;
	return 0;
}

static int wait_slot(int fd, uint32_t max, uid_t target)
{
	int64_t ticket, end = now_ms() + WAIT_MS;
	int found = 0;

	if (target == 0 && try_slot(fd, ROOT_SLOT))
		return 0;
	if (draw(fd, &ticket))
		return -1;
	while (now_ms() < end && !found) {
		found = !others_first(fd, ticket) && any_slot(fd, max, target);
		if (!found)
			tick();
	}
	set(fd, F_OFD_SETLK, F_UNLCK, TICKETS + ticket, 1);
	return found ? 0 : -2;
}

static int wait_user(int fd, uid_t uid)
{
	int64_t end = now_ms() + WAIT_MS;

	while (now_ms() < end) {
		if (try_slot(fd, USER_SLOTS + uid))
			return 0;
		tick();
	}
	return -2;
}

/* The group that may read shadow may lock: lyra2_chkpwd runs with it. */
static int make_file(void)
{
	struct stat shadow;
	int fd;

	if (stat(PATH_SHADOW, &shadow))
		return -1;
	if (mkdir(PATH_SLOT_DIR, 0700) == 0 &&
	    (chown(PATH_SLOT_DIR, 0, shadow.st_gid) ||
	     chmod(PATH_SLOT_DIR, 0750)))
		return -1;
	fd = open(PATH_SLOTS, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0 && (fchown(fd, 0, shadow.st_gid) || fchmod(fd, 0660))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int admit_enter(uint32_t max, uid_t caller, uid_t target)
{
	int fd = open(PATH_SLOTS, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int rc;

	if (fd < 0 && errno == ENOENT && caller == 0)
		fd = make_file();
	if (fd < 0)
		return -1;
	if (max == 0)
		max = cpus > 0 ? (uint32_t)cpus : 1;
	rc = caller == 0 ? wait_slot(fd, max, target) : wait_user(fd, caller);
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

void admit_leave(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
