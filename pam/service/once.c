/* SPDX-License-Identifier: BSD-2-Clause */
/* "lyra2d --once": for a module that finds no service. */
#include "once.h"

#include <errno.h>
#include <fcntl.h>
#include <security/_pam_types.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "configuration.h"
#include "connections.h"
#include "pam/protocol/clock.h"
#include "pam/work/answer.h"
#include "pam/work/worker.h"
#include "src/config/paths.h"

#define TALK_MS 120000		/* somebody types */
#define LOCK_MS 10000
#define LOCK_TICK_MS 20

/* Only root can open the file: no user can hold the lock. */
static int open_lock(void)
{
	(void)mkdir(PATH_RUN, 0755);
	return open(PATH_ONCE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		    0600);
}

/* Waits for the lock, and says so every second. */
static int wait_lock(int fd, int lock)
{
	const struct timespec pause = { 0, LOCK_TICK_MS * 1000000L };
	const int64_t end = clock_ms() + LOCK_MS;
	int64_t said = 0;

	while (flock(lock, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK || clock_ms() > end)
			return -1;
		if (clock_ms() - said >= HEARTBEAT_MS) {
			answer_send(fd, REPLY_QUEUED, 1);
			said = clock_ms();
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}

/*
 * Where there is no place for the lock, as in an image that is being built, a
 * login must be possible all the same; and root must not be locked out by a
 * crowd.
 */
static int work(int fd, const struct operation *op,
		const struct request *req)
{
	static struct job job;
	int lock = open_lock();

	if (lock >= 0 && wait_lock(fd, lock) < 0) {
		close(lock);
		lock = -1;
		if (req->caller != 0) {
			syslog(LOG_WARNING, "password check refused: others "
			       "wait, and lyra2d does not run [UID=%lu]",
			       (unsigned long)req->caller);
			answer_send(fd, REPLY_VERDICT, PAM_CRED_UNAVAIL);
			return 1;
		}
	}
	job.work = op->work;
	job.fd = fd;
	job.control = -1;
	job.lock = lock;
	job.has_slot = true;
	job.req = *req;
	job.conf = configuration();
	answer_send(fd, REPLY_QUEUED, 0);
	if (request_wait(fd, SILENCE_MS))
		worker_run(&job);
	return 0;
}

int once(int fd)
{
	const struct operation *op;
	struct request req;

	if (connections_greet(fd) < 0)
		return 1;
	while (request_wait(fd, TALK_MS) && request_recv(fd, &req) == 0 &&
	       (op = operations_find(req.op))) {
		alarm(WORK_SECONDS);
		if (op->work)
			return work(fd, op, &req);
		op->at_once(fd, &req);
		alarm(0);
	}
	return 0;
}
