/* SPDX-License-Identifier: BSD-2-Clause */
/* The lock of the password files. */
#include "shadow.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "pam/protocol/clock.h"
#include "src/config/paths.h"

#define LOCK_TICK_MS 10

/*
 * Takes the lock for this open file: one that a process has ends when the
 * process closes any descriptor of the file.  A kernel without such locks
 * answers EINVAL.  Then the process has the lock, as with lckpwdf(3).
 */
static int try_lock(int fd)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_OFD_SETLK, &fl) == 0)
		return 0;
	return errno == EINVAL ? fcntl(fd, F_SETLK, &fl) : -1;
}

/*
 * Waits at most ms for the lock.  A blocking wait would need a signal to end
 * it.
 */
static enum shadow_result wait_lock(int fd, int ms)
{
	struct timespec tick = { 0, LOCK_TICK_MS * 1000000L };
	int64_t end = clock_ms() + ms;

	while (try_lock(fd) < 0) {
		if (errno != EAGAIN && errno != EACCES)
			return SHADOW_FAILED;
		if (clock_ms() >= end)
			return SHADOW_BUSY;
		nanosleep(&tick, NULL);
	}
	return SHADOW_DONE;
}

enum shadow_result shadow_lock(int ms, int *lock)
{
	enum shadow_result result;
	int fd = open(PATH_LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		      0600), saved;

	*lock = -1;
	if (fd < 0)
		return SHADOW_FAILED;
	result = wait_lock(fd, ms);
	if (result == SHADOW_DONE) {
		*lock = fd;
		return result;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return result;
}

void shadow_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
