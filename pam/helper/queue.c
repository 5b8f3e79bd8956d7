/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots and a queue made of open file description locks. */
#include "queue.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pam/clock.h"
#include "pam/paths.h"

#define WAIT_MS 30000		/* a quarter of sshd's LoginGraceTime */
#define ROOT_WAIT_MS 3000	/* for root itself */
#define TICK_MS 10
#define PASS_MS 100		/* a slot is free, the first does not take it */
#define STUCK_MS 20000		/* longer than any hash takes */
#define SLOTS_MAX 65536
#define TICKETS_MAX 10000	/* tried, from the time of arrival on */

/*
 * The locks are on bytes in areas of the file.  Each area is so long that a
 * position in it can be a time in milliseconds.
 */
#define AREA (INT64_C(1) << 44)
enum area {
	AREA_SLOT,			/* a byte for each slot */
	AREA_TICKET,			/* the time of arrival */
	AREA_SINCE,			/* when slot 0 was taken, ... */
	AREA_POOLS = 1 << 17		/* the areas of the next pool */
};
enum pool { POOL_ROOT, POOL_USERS, POOLS };
enum { AREA_OF_USERS = POOLS * AREA_POOLS, AREA_OF_ROOT, AREA_ROOT_TICKET };

static_assert(sizeof(off_t) == sizeof(int64_t), "ranges past 2 GiB");
static_assert(AREA_SINCE + SLOTS_MAX <= AREA_POOLS, "pools overlap");

static int64_t at(enum pool pool, int area, int64_t position)
{
	return ((int64_t)pool * AREA_POOLS + area) * AREA + position;
}

static bool lock(int fd, short type, int64_t start)
{
	struct flock fl = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start,
		.l_len = 1
	};

	return fcntl(fd, F_OFD_SETLK, &fl) == 0;
}

/* Whether another process has a lock in a range. */
static bool locked(int fd, int64_t start, int64_t len)
{
	struct flock fl = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start,
		.l_len = len
	};

	return len > 0 && fcntl(fd, F_OFD_GETLK, &fl) == 0 &&
		fl.l_type != F_UNLCK;
}

/* Whether the holder of a slot has had it for too long to be computing. */
static bool stuck(int fd, enum pool pool, uint32_t slot)
{
	return locked(fd, at(pool, AREA_SINCE + (int)slot, 0),
		      clock_ms() - STUCK_MS);
}

/*
 * Returns a free slot, or -1.  Each stuck slot adds one more, so that frozen
 * processes do not use up the slots.
 */
static int64_t find_slot(int fd, enum pool pool, uint32_t max)
{
	uint32_t i;

	for (i = 0; i < max && i < SLOTS_MAX; i++) {
		if (!locked(fd, at(pool, AREA_SLOT, i), 1))
			return i;
		if (stuck(fd, pool, i))
			max++;
	}
	return -1;
}

static bool take_slot(int fd, enum pool pool, uint32_t max)
{
	int64_t slot = find_slot(fd, pool, max);

	if (slot < 0 || !lock(fd, F_WRLCK, at(pool, AREA_SLOT, slot)))
		return false;
	lock(fd, F_WRLCK, at(pool, AREA_SINCE + (int)slot, clock_ms()));
	return true;
}

/* The ticket is the time of arrival, or the next free one; -1 if none is. */
static int64_t draw(int fd, enum pool pool, int area)
{
	int64_t first = clock_ms(), ticket;

	for (ticket = first; ticket < first + TICKETS_MAX; ticket++) {
		if (lock(fd, F_WRLCK, at(pool, area, ticket)))
			return ticket;
		if (errno != EAGAIN && errno != EACCES)
			return -1;
	}
	return -1;
}

/* Whether a ticket before this one is held; older ones have timed out. */
static bool others_first(int fd, enum pool pool, int64_t ticket)
{
	int64_t oldest = clock_ms() - WAIT_MS;

	if (oldest < 0)
		oldest = 0;
	return locked(fd, at(pool, AREA_TICKET, oldest), ticket - oldest);
}

/* Some file systems and sandboxes refuse every lock, or begin to. */
static bool locks_work(int fd)
{
	return lock(fd, F_RDLCK, at(POOL_ROOT, AREA_SLOT, SLOTS_MAX));
}

/* Sleeps for a moment.  Returns false, and *why, if there is no use in it. */
static bool tick(int fd, const struct queue_request *q, int64_t end,
		 enum queue_result *why)
{
	struct pollfd p = { .fd = q->peer, .events = POLLRDHUP };

	if (clock_ms() >= end)
		*why = QUEUE_TIMED_OUT;
	else if (!locks_work(fd))
		*why = QUEUE_UNUSABLE;
	else if (poll(&p, 1, TICK_MS) > 0)
		*why = QUEUE_PEER_GONE;
	else
		return true;
	return false;
}

/* *idle: since when the first in the queue has not taken a free slot. */
static bool my_turn(int fd, enum pool pool, uint32_t max, int64_t ticket,
		    int64_t *idle)
{
	if (ticket < 0 || !others_first(fd, pool, ticket))
		return true;
	if (find_slot(fd, pool, max) < 0)
		*idle = clock_ms();
	return clock_ms() - *idle >= PASS_MS;
}

static enum queue_result wait_pool(int fd, const struct queue_request *q,
				   enum pool pool, int64_t end)
{
	int64_t ticket = draw(fd, pool, AREA_TICKET), idle = clock_ms();
	enum queue_result why;

	while (!my_turn(fd, pool, q->max, ticket, &idle) ||
	       !take_slot(fd, pool, q->max)) {
		if (!tick(fd, q, end, &why))
			return why;
	}
	if (ticket >= 0)
		lock(fd, F_UNLCK, at(pool, AREA_TICKET, ticket));
	return QUEUE_SLOT;
}

static bool take_root_slot(int fd, uint32_t max)
{
	return lock(fd, F_WRLCK, at(0, AREA_OF_ROOT, 0)) ||
		take_slot(fd, POOL_ROOT, max);
}

/*
 * Root's own login does not queue behind others, and the latest one comes
 * first, so that guesses at root's password do not delay root.
 */
static enum queue_result wait_root(int fd, const struct queue_request *q)
{
	int64_t end = clock_ms() + ROOT_WAIT_MS;
	int64_t ticket = draw(fd, 0, AREA_ROOT_TICKET);
	enum queue_result why;

	while (locked(fd, at(0, AREA_ROOT_TICKET, ticket + 1), ROOT_WAIT_MS) ||
	       !take_root_slot(fd, q->max)) {
		if (!tick(fd, q, end, &why))
			return why;
	}
	lock(fd, F_UNLCK, at(0, AREA_ROOT_TICKET, ticket));
	return QUEUE_SLOT;
}

static enum queue_result wait_user(int fd, const struct queue_request *q)
{
	int64_t end = clock_ms() + WAIT_MS;
	enum queue_result why;

	while (!lock(fd, F_WRLCK, at(0, AREA_OF_USERS, q->caller))) {
		if (!tick(fd, q, end, &why))
			return why;
	}
	return wait_pool(fd, q, POOL_USERS, end);
}

/*
 * lyra2_chkpwd runs with the group that may read shadow: it may lock.  The
 * mode comes last: without it, who made the directory or the file has died.
 */
static int share_directory(void)
{
	struct stat st, shadow;

	if (lstat(PATH_SLOT_DIR, &st) < 0 || stat(PATH_SHADOW, &shadow) < 0)
		return -1;
	if (!S_ISDIR(st.st_mode) || (st.st_mode & 07777) != 0700)
		return 0;
	return chown(PATH_SLOT_DIR, 0, shadow.st_gid) < 0 ? -1 :
		chmod(PATH_SLOT_DIR, 0750);
}

static int share_file(int fd)
{
	struct stat st, shadow;

	if (fstat(fd, &st) < 0)
		return -1;
	if ((st.st_mode & 07777) != 0600)
		return 0;
	return stat(PATH_SHADOW, &shadow) < 0 ||
		fchown(fd, 0, shadow.st_gid) < 0 ? -1 : fchmod(fd, 0660);
}

static int open_file(void)
{
	int fd = open(PATH_SLOTS, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (geteuid() != 0)
		return fd;
	if (fd < 0 && errno == ENOENT) {
		if ((mkdir(PATH_SLOT_DIR, 0700) < 0 && errno != EEXIST) ||
		    share_directory() < 0)
			return -1;
		fd = open(PATH_SLOTS, O_RDWR | O_CREAT | O_CLOEXEC |
			  O_NOFOLLOW, 0600);
	}
	if (fd >= 0 && share_file(fd) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static enum queue_result wait_any(int fd, const struct queue_request *q)
{
	if (q->caller != 0)
		return wait_user(fd, q);
	if (q->target == 0)
		return wait_root(fd, q);
	return wait_pool(fd, q, POOL_ROOT, clock_ms() + WAIT_MS);
}

enum queue_result queue_enter(const struct queue_request *request, int *slot)
{
	struct queue_request q = *request;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	enum queue_result result;
	int fd = open_file();

	*slot = -1;
	if (fd < 0)
		return QUEUE_UNUSABLE;
	if (q.max == 0)
		q.max = cpus > 0 ? (uint32_t)cpus : 1;
	result = locks_work(fd) ? wait_any(fd, &q) : QUEUE_UNUSABLE;
	if (result == QUEUE_SLOT)
		*slot = fd;
	else
		close(fd);
	return result;
}

void queue_leave(int *slot)
{
	if (*slot >= 0)
		close(*slot);
	*slot = -1;
}
