/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Seats, turns and slots.
 *
 * Each request has a source: see source.h.  A source has a few seats; if all
 * are taken, the request is refused at once.  With a seat it waits for a turn
 * of its source, so that a jam holds up only those who made it, and with that
 * for any slot.  Only who has a slot hashes, so slots bound the memory.
 *
 * Seats and turns are locks on bytes of one file.  Each slot is a FIFO: its
 * holder has it open for writing, and locked; poll(2) tells the others when
 * that ends.  Locks belong to open file descriptions, so everything is given
 * back when its process ends, however that ends.
 *
 * Users can stop and freeze the helper of su(1).  Before it has a slot, and
 * until it has none, a timer kills it unless it uses the processor.  Helpers of
 * root's services are out of reach: no timer, one slot more, and another one
 * for root at the console.  They leave one of the others to users, as there is
 * no end of hosts.
 *
 * A wait ends by a signal: SIGALRM at the limit, SIGIO when the peer is gone.
 */
#include "queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "pam/clock.h"
#include "pam/process.h"
#include "pam/request.h"
#include "src/stored/paths.h"

#define SEATS 16		/* for each turn */
#define WAIT_SECONDS 30		/* a quarter of sshd's LoginGraceTime */
#define IDLE_SECONDS 2		/* in which the holder of a slot uses ... */
#define TICK_US 10000		/* ... this much of a processor */
#define LOG_MS 60000		/* between two lines about a source */
#define LOG_TIMES 500		/* for all sources */
#define SLOTS_MAX 256

enum { SLOT_CONSOLE, SLOT_SERVICE, SLOT_SHARED };

static int queue_fd = -1, slot_fd = -1;
static uint32_t first_slot, end_slot;	/* that this process may take */
static bool watched;		/* a timer can kill this process */
static timer_t killer;

static int lock(int fd, int command, int64_t start)
{
	struct flock fl = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start,
		.l_len = 1
	};

	return fcntl(fd, command, &fl);
}

/* lyra2_chkpwd runs with the group that may read shadow: it may lock. */
static int share(const char *path, mode_t fresh, mode_t shared)
{
	struct stat st, shadow;

	if (lstat(path, &st) < 0 || stat(PATH_SHADOW, &shadow) < 0)
		return -1;
	/* The mode comes last: without it, who made this has died. */
	if ((st.st_mode & 07777) != fresh)
		return 0;
	/* In the directory, files have the group: a sandbox needs no chown. */
	if (st.st_gid != shadow.st_gid && chown(path, 0, shadow.st_gid) < 0)
		return -1;
	return chmod(path, shared);
}

static int make(const char *path, mode_t type)
{
	if ((mkdir(PATH_SLOT_DIR, 0700) < 0 && errno != EEXIST) ||
	    share(PATH_SLOT_DIR, 0700, 02750) < 0)
		return -1;
	return mknod(path, type | 0600, 0) < 0 && errno != EEXIST ? -1 : 0;
}

/* Only root makes what is missing. */
static int open_shared(const char *path, mode_t type, int flags)
{
	if (geteuid() == 0 &&
	    ((access(path, F_OK) < 0 && make(path, type) < 0) ||
	     share(path, 0600, 0660) < 0))
		return -1;
	return open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
}

static int open_slot(uint32_t number, int flags)
{
	char path[sizeof(PATH_SLOT) + 10];

	snprintf(path, sizeof(path), PATH_SLOT, number);
	return open_shared(path, S_IFIFO, flags);
}

/* Root writes down how many there are: others could ask for any number. */
static uint32_t count_slots(uint32_t max)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t n = max > 0 ? max : cpus > 2 ? (uint32_t)cpus : 2;

	if (getuid() == 0)
		(void)!pwrite(queue_fd, &n, sizeof(n), 0);
	else if (pread(queue_fd, &n, sizeof(n), 0) != sizeof(n) || n == 0)
		n = 1;
	return n < SLOTS_MAX ? n : SLOTS_MAX;
}

/* A user may send the signal, too, or have it sent: see F_SETSIG. */
static void postpone(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (!info || info->si_code == SI_KERNEL)
		process_kill_after(killer, IDLE_SECONDS);
}

static int watch(void)
{
	struct sigaction action = {
		.sa_sigaction = postpone, .sa_flags = SA_SIGINFO | SA_RESTART
	};
	const struct itimerval tick = { { 0, TICK_US }, { 0, TICK_US } };

	if (!watched)
		return 0;
	if (process_make_killer(&killer) < 0) {
		errno = ENOMEM;	/* EAGAIN means that no slot is free */
		return -1;
	}
	postpone(0, NULL, NULL);
	sigaction(SIGPROF, &action, NULL);
	return setitimer(ITIMER_PROF, &tick, NULL);
}

static void unwatch(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	if (!watched)
		return;
	setitimer(ITIMER_PROF, &never, NULL);
	timer_delete(killer);
}

/* Takes one of some bytes; a wait is for one of them, whichever. */
static int take(int64_t start, uint32_t count, bool wait)
{
	int rc = -1;
	uint32_t i;

	for (i = 0; rc < 0 && i < count; i++)
		rc = lock(queue_fd, F_OFD_SETLK, start + i);
	if (rc < 0 && errno == EAGAIN && wait)
		rc = lock(queue_fd, F_OFD_SETLKW,
			  start + (uint32_t)getpid() % count);
	return rc;
}

/* Takes one of the slots that may be free; EAGAIN if none is. */
static int take_slot(const struct pollfd *p, uint32_t count)
{
	uint32_t i;
	int fd;

	if (watch() < 0)
		return -1;
	errno = EAGAIN;
	for (i = 0; i < count; i++) {
		if (!p[i].revents)
			continue;
		fd = open_slot(first_slot + i, O_RDWR);
		if (fd < 0) {
			errno = errno == EAGAIN ? ENFILE : errno;
			break;
		}
		if (lock(fd, F_OFD_SETLK, 0) == 0)
			return fd;
		close(fd);
	}
	unwatch();
	return -1;
}

static int wait_slot(void)
{
	struct pollfd p[SLOT_SHARED + SLOTS_MAX];
	uint32_t count = 0, i;

	for (i = first_slot; i < end_slot; i++, count++) {
		p[count].fd = open_slot(i, O_RDONLY);
		p[count].events = 0;
		p[count].revents = POLLHUP;	/* it may be free */
		if (p[count].fd < 0)
			break;
	}
	while (count > 0 && (slot_fd = take_slot(p, count)) < 0 &&
	       errno == EAGAIN && poll(p, count, -1) > 0)
		continue;
	for (i = 0; i < count; i++)
		close(p[i].fd);
	return slot_fd;
}

static int line_up(const struct queue_request *q)
{
	uint32_t slots = count_slots(q->max);
	uint32_t turns = q->watched ? 1 : (slots + 1) / 2;
	int64_t seat = (q->source + 1) << 16, turn = seat + (1 << 15);

	first_slot = q->watched ? SLOT_SHARED :
		q->console ? SLOT_CONSOLE : SLOT_SERVICE;
	end_slot = SLOT_SHARED + slots;
	/* Users cannot make the one that is theirs. */
	if (!q->watched)
		close(open_slot(--end_slot, O_RDONLY));
	if (take(seat, turns * SEATS, false) < 0 ||
	    take(turn, turns, true) < 0)
		return -1;
	return wait_slot();
}

/* O_ASYNC: SIGIO comes from what the peer does next, which is to go. */
static void limit_wait(int peer, unsigned seconds, int flags)
{
	alarm(seconds);
	fcntl(peer, F_SETOWN, getpid());
	fcntl(peer, F_SETFL, flags);
}

/* Says of many refusals only a few: none that it cannot note. */
static enum queue_result refuse(int64_t source)
{
	off_t at = (1 + source % LOG_TIMES) * (off_t)sizeof(int64_t);
	int64_t now = clock_ms(), then;

	if (pread(queue_fd, &then, sizeof(then), at) == sizeof(then) &&
	    then > 0 && now - then < LOG_MS)
		return QUEUE_REFUSED_AGAIN;
	return pwrite(queue_fd, &now, sizeof(now), at) == sizeof(now) ?
		QUEUE_REFUSED : QUEUE_REFUSED_AGAIN;
}

/* What a user can bring about must not be a way around the queue. */
static enum queue_result failed(int64_t source)
{
	return errno == EAGAIN || errno == EINTR || errno == EMFILE ||
		errno == ENFILE || errno == ENOLCK || errno == ENOMEM ?
		refuse(source) : QUEUE_UNUSABLE;
}

enum queue_result queue_enter(const struct queue_request *q)
{
	struct pollfd p = { .fd = q->peer, .events = POLLRDHUP };
	enum queue_result result = QUEUE_SLOT;

	if (queue_fd >= 0)
		close(queue_fd);
	watched = q->watched;
	limit_wait(q->peer, WAIT_SECONDS, O_ASYNC);
	if (poll(&p, 1, 0) > 0)
		raise(SIGIO);
	queue_fd = open_shared(PATH_SLOTS, S_IFREG, O_RDWR);
	if (queue_fd < 0 || line_up(q) < 0) {
		result = failed(q->source);
		queue_leave();
	}
	limit_wait(q->peer, HELPER_SECONDS, 0);
	return result;
}

/* The slot comes first: frozen in between, this process still ends. */
void queue_pause(void)
{
	if (slot_fd < 0)
		return;
	close(slot_fd);
	slot_fd = -1;
	unwatch();
}

void queue_resume(void)
{
	if (end_slot > 0 && wait_slot() < 0)
		_exit(4);
}

/*
 * The slot comes first: those who wait for it were there before.  A user's turn
 * lasts as long as the process, so a user can freeze one that writes, not many.
 */
void queue_leave(void)
{
	queue_pause();
	end_slot = 0;
	if (queue_fd >= 0 && !watched) {
		close(queue_fd);
		queue_fd = -1;
	}
}
