/* SPDX-License-Identifier: BSD-2-Clause */
/* "lyra2d --once": for a module that finds no service. */
#include "once.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <security/_pam_types.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "brake-file.h"
#include "configuration.h"
#include "connections.h"
#include "pam/protocol/clock.h"
#include "pam/work/answer.h"
#include "pam/work/worker.h"
#include "source.h"
#include "src/config/paths.h"
#include "start.h"

#define TALK_MS 120000		/* a user types */
#define LOCK_MS 10000
#define OTHERS_MS 1000
#define LOCK_TICK_MS 20

/*
 * Opens a lock file, which only root can open.  A user who starts su(1) again
 * and again delays no program of root's.
 */
static int open_lock(const struct request *req)
{
	start_directory();
	return open(req->caller != 0 ? PATH_ONCE_USERS : PATH_ONCE,
		    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/*
 * Leaves the caller's cgroup before this process takes a lock, because a user
 * can freeze or slow processes in it.  In a container, init.scope may be the
 * only other one.
 */
static void leave_cgroup(void)
{
	static const char *const paths[] = { PATH_CGROUP, PATH_CGROUP_INIT };
	bool left = false;
	size_t i;
	int fd;

	for (i = 0; !left && i < sizeof(paths) / sizeof(paths[0]); i++) {
		fd = open(paths[i], O_WRONLY | O_CLOEXEC);
		left = fd >= 0 && write(fd, "0", 1) == 1;
		if (fd >= 0)
			close(fd);
	}
}

static void pause_ms(int64_t ms)
{
	const struct timespec pause = {
		(time_t)(ms / 1000), (long)(ms % 1000) * 1000000
	};

	nanosleep(&pause, NULL);
}

/* Waits for the lock of one byte, and tells the module every second. */
static int wait_byte(int fd, int lock, off_t byte, int ms)
{
	struct flock l = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET,
		.l_start = byte, .l_len = 1
	};
	const int64_t end = clock_ms() + ms;
	int64_t said = 0;

	while (fcntl(lock, F_OFD_SETLK, &l) < 0) {
		if (errno != EAGAIN || clock_ms() > end)
			return -1;
		if (clock_ms() - said >= HEARTBEAT_MS) {
			answer_send(fd, REPLY_QUEUED, 1);
			said = clock_ms();
		}
		pause_ms(LOCK_TICK_MS);
	}
	return 0;
}

/*
 * Waits for this user's turn: users hash one after the other.  A user whose
 * process takes long or is stopped delays each other user for OTHERS_MS only.
 */
static int wait_lock(int fd, int lock, const struct request *req)
{
	const off_t own = 1 + (off_t)source_owner(req->caller);

	if (req->caller == 0)
		return wait_byte(fd, lock, 0, LOCK_MS);
	leave_cgroup();
	if (wait_byte(fd, lock, own, LOCK_MS) < 0)
		return -1;
	(void)wait_byte(fd, lock, 0, OTHERS_MS);
	return 0;
}

/*
 * Reads the secret first: closing with an unread secret would lose the answer.
 */
static void refuse(int fd, const struct request *req)
{
	static struct secret secret;

	(void)secret_recv(fd, &secret);
	explicit_bzero(&secret, sizeof(secret));
	syslog(LOG_WARNING, "password check refused: no turn for 10 "
	       "seconds; start lyra2d.socket [UID=%lu]",
	       (unsigned long)req->caller);
	answer_send(fd, REPLY_VERDICT, PAM_CRED_UNAVAIL);
}

/*
 * Returns false for the account root in root's programs, which must work
 * whatever others do.
 */
static bool needs_lock(const struct request *req)
{
	return req->caller != 0 || strcmp(req->user, "root") != 0;
}

/* ---- the brake ---- */

static struct brake brake;
static int brake_file = -1;

/*
 * Returns the milliseconds until the answer may leave; 0: it may.  Returns -1
 * if the penalty cannot be recorded; then the answer must not leave.
 */
static int64_t leaves_in(void)
{
	int64_t now;
	bool is;

	if (brake_file_lock(brake_file, LOCK_MS) < 0)
		return -1;
	now = brake_file_now();
	(void)brake_file_load(brake_file, &brake, now);
	is = brake_next(&brake, now) >= 0;
	if (brake_file_save(brake_file, &brake, now) < 0)
		return -1;
	return is ? 0 : brake_wake(&brake, now) + 1;
}

static bool module_is_gone(int fd)
{
	struct pollfd p = { fd, POLLRDHUP, 0 };

	return poll(&p, 1, 0) > 0 && p.revents != 0;
}

/*
 * Each process has one answer, and all share the levels of the file.  Root's
 * own programs need no brake.
 */
static enum leave may_leave(struct job *job, bool right)
{
	bool told = false;
	int64_t ms;

	job_slot_back(job);
	if (job->req.caller == 0)
		return LEAVE_NOW;
	brake_file = brake_file_open(PATH_BRAKE);
	if (brake_file < 0 ||
	    brake_add(&brake, 0, job->owner, job_is_own(job),
		      brake_file_now()) < 0)
		return LEAVE_NEVER;
	while ((ms = leaves_in()) != 0) {
		if (ms < 0 || module_is_gone(job->fd))
			return LEAVE_NEVER;
		job_waits(job, told ? 0 : (uint32_t)((ms + 999) / 1000));
		told = true;
		pause_ms(ms < HEARTBEAT_MS ? ms : HEARTBEAT_MS);
	}
	if (!right)
		brake_end(&brake, 0);
	return LEAVE_NOW;
}

static void was_free(struct job *job)
{
	int64_t now;

	(void)job;
	if (brake_file < 0 || brake_file_lock(brake_file, LOCK_MS) < 0)
		return;
	now = brake_file_now();
	(void)brake_file_load(brake_file, &brake, now);
	brake_free(&brake, 0, now);
	(void)brake_file_save(brake_file, &brake, now);
}

/*
 * Without a place for the lock, as in an image that is being built, logins must
 * still be possible.
 */
static int work(int fd, const struct operation *op,
		const struct request *req)
{
	static struct job job;
	int lock = open_lock(req);

	if (lock >= 0 && wait_lock(fd, lock, req) < 0) {
		close(lock);
		lock = -1;
		if (needs_lock(req)) {
			refuse(fd, req);
			return 1;
		}
	}
	job.work = op->work;
	job.fd = fd;
	job.control = -1;
	job.lock = lock;
	job.has_slot = true;
	job.owner = source_owner(req->caller);
	job.may_leave = may_leave;
	job.was_free = was_free;
	job.req = *req;
	job.conf = configuration();
	answer_send(fd, REPLY_QUEUED, 0);
	worker_run(&job);
	return 0;
}

int once(int fd)
{
	const struct operation *op;
	struct request req;

	if (connections_greet(fd, configuration()) < 0)
		return 1;
	while (request_wait(fd, TALK_MS) && request_recv(fd, &req) == 0 &&
	       (op = operations_find(req.op))) {
		alarm(WORK_SECONDS);
		if (op->work)
			return request_wait(fd, SILENCE_MS) ?
				work(fd, op, &req) : 1;
		op->at_once(fd, &req);
		alarm(0);
	}
	return 0;
}
