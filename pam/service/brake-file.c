/* SPDX-License-Identifier: BSD-2-Clause */
/* The levels of the brake in a file: see the rules in brake-file.h. */
#include "brake-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x314b415242324c0a)	/* its format, too */

struct record {
	uint64_t caller;
	int64_t until;
	uint32_t level;
	uint32_t own;
};

struct image {
	uint64_t sum;		/* of all that follows */
	uint64_t magic;
	uint64_t count;
	int64_t floor_until;
	uint64_t floor_level;
	struct record records[BRAKE_KEYS];
};
#define HEAD offsetof(struct image, records)

static struct image image;	/* to be read under the lock */

int64_t brake_file_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- reading ---- */

/* FNV-1a, of 64 bits: it finds accidents; only root writes the file. */
static uint64_t sum_of(const struct image *im)
{
	const unsigned char *p = (const unsigned char *)&im->magic;
	const unsigned char *end = (const unsigned char *)im + HEAD +
		im->count * sizeof(im->records[0]);
	uint64_t sum = UINT64_C(14695981039346656037);

	while (p < end)
		sum = (sum ^ *p++) * UINT64_C(1099511628211);
	return sum;
}

static int read_at(int fd, size_t from, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, (char *)&image + from, size, (off_t)from);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size ? 0 : -1;
}

static bool is_sound(int64_t until, uint64_t level)
{
	return until >= 0 && level <= BRAKE_TOP;
}

/* Reads the rest of the file.  Returns 0, or -1 if it is damaged. */
static int read_records(int fd)
{
	uint64_t i;

	if (image.magic != MAGIC || image.count > BRAKE_KEYS ||
	    read_at(fd, HEAD, image.count * sizeof(image.records[0])) < 0 ||
	    image.sum != sum_of(&image) ||
	    !is_sound(image.floor_until, image.floor_level))
		return -1;
	for (i = 0; i < image.count; i++)
		if (!is_sound(image.records[i].until, image.records[i].level) ||
		    image.records[i].own > 1)
			return -1;
	return 0;
}

/*
 * Times in the file are of the clock; in b, they are the time that has passed.
 */
static struct brake_level from_file(const struct brake *b, int64_t until,
				    uint64_t level)
{
	if (until > b->clock + BRAKE_LONGEST_MS)
		until = b->clock + BRAKE_LONGEST_MS;
	return (struct brake_level){
		.until = until + (b->time - b->clock), .level = (uint32_t)level
	};
}

static int64_t to_file(const struct brake *b, int64_t until)
{
	until -= b->time - b->clock;
	return until > 0 ? until : 0;
}

static bool equal(struct brake_level l, struct brake_level m)
{
	return l.until == m.until && l.level == m.level;
}

/* Sets every key to the top: rule 5. */
static void raise_all(struct brake *b)
{
	const struct brake_level top = { .until = b->time, .level = BRAKE_TOP };
	struct brake_key *k;

	b->floor = brake_higher(b->floor, top);
	for (k = b->keys; k < b->keys + b->nkeys; k++)
		brake_set(k, brake_higher(k->at, top));
	b->changed = true;
}

/* Rules 3 and 4, for one key. */
static void merge(struct brake *b, const struct record *r)
{
	const struct brake_level theirs = from_file(b, r->until, r->level);
	struct brake_key *k = brake_key(b, r->caller, r->own);

	if (!k) {
		raise_all(b);
		return;
	}
	k->in_file = true;
	if (equal(theirs, k->saved))
		return;
	brake_set(k, equal(k->at, k->saved) ? theirs :
		  brake_higher(k->at, theirs));
	k->saved = theirs;
}

static void merge_all(struct brake *b)
{
	struct brake_key *k;
	uint64_t i;

	for (k = b->keys; k < b->keys + b->nkeys; k++)
		k->in_file = false;
	b->floor = brake_higher(b->floor, from_file(b, image.floor_until,
						    image.floor_level));
	for (i = 0; i < image.count; i++)
		merge(b, &image.records[i]);
	/* The others are over, or another process knows that they were free. */
	for (k = b->keys; k < b->keys + b->nkeys; k++)
		if (!k->in_file && equal(k->at, k->saved)) {
			brake_set(k, b->floor);
			k->saved = k->at;
		}
	b->sum = image.sum;
}

/* ---- writing ---- */

static void fill(struct brake *b)
{
	struct brake_key *k;

	memset(&image, 0, HEAD);
	image.magic = MAGIC;
	image.floor_until = to_file(b, b->floor.until);
	image.floor_level = b->floor.level;
	for (k = b->keys; k < b->keys + b->nkeys; k++)
		if (!brake_is_over(b, &k->at))
			image.records[image.count++] = (struct record){
				.caller = k->caller, .own = k->own,
				.until = to_file(b, k->at.until),
				.level = k->at.level
			};
	image.sum = sum_of(&image);
}

static int write_image(int fd)
{
	const size_t size = HEAD + image.count * sizeof(image.records[0]);
	ssize_t n;

	do
		n = pwrite(fd, &image, size, 0);
	while (n < 0 && errno == EINTR);
	if (n >= 0 && n != (ssize_t)size)
		errno = ENOSPC;
	return n == (ssize_t)size ? 0 : -1;
}

static int save(int fd, struct brake *b)
{
	struct brake_key *k;

	fill(b);
	if (write_image(fd) < 0)
		return -1;
	for (k = b->keys; k < b->keys + b->nkeys; k++)
		k->saved = k->at;
	b->sum = image.sum;
	b->changed = false;
	return 0;
}

/* ---- the file ---- */

int brake_file_lock(int fd, int wait_ms)
{
	const struct timespec pause = { 0, 1000000 };

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || wait_ms-- <= 0)
			return -1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

static bool is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
		(st->st_mode & 077) == 0;
}

/* Reserves the space of an empty file, which has no levels. */
static int make(int fd)
{
	memset(&image, 0, HEAD);
	image.magic = MAGIC;
	image.sum = sum_of(&image);
	errno = posix_fallocate(fd, 0, sizeof(image));
	return errno == 0 ? write_image(fd) : -1;
}

/* Another process may do so, too. */
static int make_locked(int fd)
{
	struct stat st;
	int rc = brake_file_lock(fd, 1000);

	if (rc == 0 && fstat(fd, &st) == 0 && st.st_size == 0)
		rc = make(fd);
	flock(fd, LOCK_UN);
	return rc;
}

int brake_file_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
		      O_NONBLOCK | O_NOCTTY, 0600);
	struct stat st;
	int error;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0) {
		errno = EPERM;
		if (is_ours(&st) && (st.st_size > 0 || make_locked(fd) == 0))
			return fd;
	}
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int brake_file_load(int fd, struct brake *b, int64_t now)
{
	brake_tick(b, now);
	if (read_at(fd, 0, HEAD) == 0) {
		if (image.magic == MAGIC && image.sum == b->sum)
			return 0;
		if (read_records(fd) == 0) {
			merge_all(b);
			return 0;
		}
	}
	raise_all(b);
	return 1;
}

int brake_file_save(int fd, struct brake *b, int64_t now)
{
	int failed, error;

	brake_tick(b, now);
	failed = b->changed ? save(fd, b) : 0;
	error = errno;
	flock(fd, LOCK_UN);
	errno = error;
	return failed;
}
