/* SPDX-License-Identifier: BSD-2-Clause */
/* The levels of one caller in a file: see the rules in brake-file.h. */
#include "brake-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/config/paths.h"

#define MAGIC UINT64_C(0x4c324252414b4531)	/* changes with the format */

struct image {
	uint64_t sum;		/* of all that follows */
	uint64_t magic;
	uint64_t caller;
	struct brake_key keys[2];
};

int64_t brake_file_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* FNV-1a, of 64 bits: it finds accidents; only root writes the file. */
static uint64_t sum_of(const struct image *im)
{
	const unsigned char *p = (const unsigned char *)&im->magic;
	const unsigned char *end = (const unsigned char *)(im + 1);
	uint64_t sum = UINT64_C(14695981039346656037);

	while (p < end)
		sum = (sum ^ *p++) * UINT64_C(1099511628211);
	return sum;
}

/* Returns false if the bytes are no levels of this caller. */
static bool parse(const struct image *im, ssize_t len, struct brake_file *f,
		  int64_t now)
{
	if (len != sizeof(*im) || im->magic != MAGIC ||
	    im->caller != f->caller || im->sum != sum_of(im))
		return false;
	memcpy(f->keys, im->keys, sizeof(f->keys));
	return brake_check(&f->keys[0], now) && brake_check(&f->keys[1], now);
}

static bool is_ours(int fd)
{
	struct stat st;

	errno = EPERM;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

/*
 * Whether an error of open(2) or write(2) means that there is no place for a
 * file.  Users cannot cause these where /run is the system's.
 */
static bool is_no_place(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EROFS ||
		error == ENOSPC || error == EDQUOT || error == EACCES ||
		error == EPERM;
}

static int open_file(uint32_t caller)
{
	char path[sizeof(PATH_BRAKE) + 16];
	const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
		O_NONBLOCK | O_NOCTTY;
	int fd;

	snprintf(path, sizeof(path), PATH_BRAKE "/%lu",
		 (unsigned long)caller);
	fd = open(path, flags, 0600);
	if (fd < 0 && errno == ENOENT &&
	    (mkdir(PATH_BRAKE, 0700) == 0 || errno == EEXIST))
		fd = open(path, flags, 0600);
	return fd;
}

static enum brake_state give_up(struct brake_file *f, enum brake_state state)
{
	const int error = errno;

	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	errno = error;
	return state;
}

static int store(const struct brake_file *f)
{
	struct image im = { .magic = MAGIC, .caller = f->caller };
	ssize_t n;

	memcpy(im.keys, f->keys, sizeof(im.keys));
	im.sum = sum_of(&im);
	n = pwrite(f->fd, &im, sizeof(im), 0);
	if (n == sizeof(im))
		return 0;
	if (n >= 0)
		errno = ENOSPC;
	return -1;
}

/* A system may have no such locks. */
static bool lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno == ENOSYS ||
		errno == EPERM || errno == EINVAL || errno == EOPNOTSUPP;
}

/* What an error of open(2) or write(2) means. */
static enum brake_state after(int error)
{
	return is_no_place(error) ? BRAKE_NO_PLACE : BRAKE_UNUSABLE;
}

/* A new file gets its space at once, so that a write does not fail later. */
static enum brake_state make(struct brake_file *f)
{
	int error;

	if (store(f) == 0)
		return BRAKE_TAKEN;
	error = errno;
	(void)!ftruncate(f->fd, 0);
	errno = error;
	return give_up(f, after(error));
}

enum brake_state brake_file_take(struct brake_file *f, uint32_t caller,
				 int64_t *now)
{
	struct image im;
	ssize_t n;

	memset(f, 0, sizeof(*f));
	f->caller = caller;
	*now = brake_file_now();
	f->fd = open_file(caller);
	if (f->fd < 0)
		return after(errno);
	if (!is_ours(f->fd) || !lock(f->fd))
		return give_up(f, BRAKE_UNUSABLE);
	*now = brake_file_now();
	n = pread(f->fd, &im, sizeof(im), 0);
	if (n < 0)
		return give_up(f, BRAKE_UNUSABLE);
	if (n == 0)
		return make(f);
	f->damaged = !parse(&im, n, f, *now);
	if (f->damaged) {
		brake_raise(&f->keys[0], *now);
		brake_raise(&f->keys[1], *now);
	}
	return BRAKE_TAKEN;
}

enum brake_state brake_file_give(struct brake_file *f, bool changed)
{
	enum brake_state state = BRAKE_TAKEN;

	if ((changed || f->damaged) && store(f) < 0)
		state = after(errno);
	return give_up(f, state);
}
