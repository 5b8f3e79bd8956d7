/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns of private services: each rule of turn.h, with real processes and
 * locks under another root directory.  The machine has two CPUs, a process the
 * number that the test gives it, and time passes as fast as the test wants.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "pam/service/turn.h"
#include "src/config/paths.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define ROOT 0
#define ANN 1000
#define BOB 1001
#define SOON 20000		/* ms of a slow machine, if it fails */
#define NEVER 300		/* ms, in which three ticks come */

static long cpu_count;
static pid_t process_number = -1;	/* -1: as it is */
static int speed = 1;		/* of the clock */
static bool no_locks;

int __real_clock_gettime(clockid_t id, struct timespec *t);

static int64_t real_ms(void)
{
	struct timespec t;

	__real_clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	const int rc = __real_clock_gettime(id, t);
	const int64_t ms = real_ms() * speed;

	if (rc == 0 && id == CLOCK_MONOTONIC && process_number >= 0)
		*t = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
	return rc;
}

pid_t __real_getpid(void);
pid_t __wrap_getpid(void);
pid_t __wrap_getpid(void)
{
	return process_number < 0 ? __real_getpid() : process_number;
}

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
	return name == _SC_NPROCESSORS_ONLN ? cpu_count : __real_sysconf(name);
}

int __real_flock(int fd, int how);
int __wrap_flock(int fd, int how);
int __wrap_flock(int fd, int how)
{
	errno = ENOLCK;
	return no_locks ? -1 : __real_flock(fd, how);
}

/* While the timer runs, its signal may come at any time, so it comes now. */
static void come(void)
{
	struct itimerval timer;

	if (getitimer(ITIMER_REAL, &timer) == 0 &&
	    (timer.it_value.tv_sec > 0 || timer.it_value.tv_usec > 0))
		raise(SIGALRM);
}

int __real_sigaction(int sig, const struct sigaction *action,
		     struct sigaction *old);
int __wrap_sigaction(int sig, const struct sigaction *action,
		     struct sigaction *old);
int __wrap_sigaction(int sig, const struct sigaction *action,
		     struct sigaction *old)
{
	const int rc = __real_sigaction(sig, action, old);

	come();
	return rc;
}

int __real_setitimer(int which, const struct itimerval *timer,
		     struct itimerval *old);
int __wrap_setitimer(int which, const struct itimerval *timer,
		     struct itimerval *old);
int __wrap_setitimer(int which, const struct itimerval *timer,
		     struct itimerval *old)
{
	const int rc = __real_setitimer(which, timer, old);

	come();
	return rc;
}

/* ---- processes ---- */

struct process {
	pid_t pid;
	int says, hears;
	int64_t begun;
};

static struct process processes[8];
static int nprocesses;

static void shell(const char *command)
{
	ck_assert_int_eq(system(command), 0);
}

static void start(void)
{
	cpu_count = 2;
	speed = 1;
	shell("rm -rf root && mkdir -p root/run/lyra2 "
	      "root/sys/fs/cgroup/init.scope root/sys/fs/cgroup/freezer "
	      "root/sys/fs/cgroup/pids && for i in . init.scope freezer pids; "
	      "do : >root/sys/fs/cgroup/$i/cgroup.procs; done");
}

static void stop(void)
{
	struct process *p;

	while (nprocesses > 0) {
		p = &processes[--nprocesses];
		close(p->says);
		close(p->hears);
		if (p->pid > 0) {
			kill(p->pid, SIGKILL);
			waitpid(p->pid, NULL, 0);
		}
	}
	shell("rm -rf root");
}

/* Takes a turn, says so, and gives it back when told to. */
static void act(uint32_t caller, int in, int out)
{
	const struct request req = { .caller = caller };
	char c;

	for (;;) {
		turn(&req, true);
		if (write(out, "t", 1) != 1 || read(in, &c, 1) != 1)
			_exit(1);
		turn(&req, false);
		if (write(out, "g", 1) != 1 || read(in, &c, 1) != 1)
			_exit(1);
	}
}

static struct process *begin(uint32_t caller, pid_t as)
{
	struct process *p = &processes[nprocesses++];
	int to[2], from[2];

	ck_assert_int_le(nprocesses, COUNT(processes));
	ck_assert(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
	p->begun = real_ms();
	p->pid = fork();
	if (p->pid == 0) {
		process_number = as;
		act(caller, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	p->hears = to[1];
	p->says = from[0];
	return p;
}

/* Returns what the process says next: "t" for its turn; "?" if that is late. */
static char says(const struct process *p, int ms)
{
	struct pollfd pfd = { p->says, POLLIN, 0 };
	char c = '-';		/* it has ended */

	if (poll(&pfd, 1, ms) == 0)
		return '?';
	return read(p->says, &c, 1) == 1 ? c : '-';
}

static struct process *with_turn(uint32_t caller, pid_t as)
{
	struct process *p = begin(caller, as);

	ck_assert_int_eq(says(p, SOON), 't');
	return p;
}

static void tell(const struct process *p)
{
	ck_assert_int_eq(write(p->hears, "x", 1), 1);
}

static void give(const struct process *p)
{
	tell(p);
	ck_assert_int_eq(says(p, SOON), 'g');
}

static bool is_locked(const char *name)
{
	char path[128];
	int fd;
	bool is;

	snprintf(path, sizeof(path), "%s/%s", PATH_TURNS, name);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return false;
	is = flock(fd, LOCK_EX | LOCK_NB) < 0;
	close(fd);
	return is;
}

/* ---- rules 1 to 3 ---- */

/* While the first has its turn, the second has one, or waits for the first. */
static const struct {
	const char *name;
	uint32_t caller, other;
	pid_t number, others;
	bool waits;
} pairs[] = {
	{ "a user, twice", ANN, ANN, 0, 0, true },
	{ "a user, on two CPUs", ANN, ANN, 0, 1, true },
	{ "two users", ANN, BOB, 0, 1, false },
	{ "two users, on the same CPU", ANN, BOB, 1, 5, true },
	{ "two of root's", ROOT, ROOT, 0, 1, false },
	{ "two of root's, on the same CPU", ROOT, ROOT, 0, 2, true },
	{ "root after a user", ANN, ROOT, 0, 0, false },
	{ "a user after root", ROOT, ANN, 0, 0, false },
};

START_TEST(who_waits_for_whom)
{
	struct process *one, *two;

	ROW(pairs[_i].name);
	one = with_turn(pairs[_i].caller, pairs[_i].number);
	two = begin(pairs[_i].other, pairs[_i].others);
	ck_assert_msg(says(two, pairs[_i].waits ? NEVER : SOON) ==
		      (pairs[_i].waits ? '?' : 't'), "%s", pairs[_i].name);
	if (!pairs[_i].waits)
		return;
	give(one);
	ck_assert_msg(says(two, SOON) == 't', "%s: then", pairs[_i].name);
	/* And it is back in the line. */
	tell(one);
	ck_assert_msg(says(one, NEVER) == '?', "%s: again", pairs[_i].name);
}
END_TEST

/* Each has the lock of one of as many files as there are CPUs. */
static const struct {
	const char *name;
	uint32_t caller;
	long cpus;
	pid_t number;
	const char *locked, *user;
} files[] = {
	{ "even", ANN, 2, 4, "all.0", "user.1000" },
	{ "odd", ANN, 2, 7, "all.1", "user.1000" },
	{ "one CPU", BOB, 1, 7, "all.0", "user.1001" },
	{ "many", UINT32_MAX, 64, 127, "all.63", "user.4294967295" },
	{ "unknown", ANN, -1, 7, "all.0", "user.1000" },
	{ "none", ANN, 0, 7, "all.0", "user.1000" },
	{ "root", ROOT, 2, 7, "root.1", NULL },
};

START_TEST(a_turn_is_a_lock)
{
	struct process *p;

	ROW(files[_i].name);
	cpu_count = files[_i].cpus;
	p = with_turn(files[_i].caller, files[_i].number);
	ck_assert_msg(is_locked(files[_i].locked), "%s", files[_i].name);
	ck_assert_msg(!files[_i].user || is_locked(files[_i].user), "%s: user",
		      files[_i].name);
	give(p);
	ck_assert_msg(!is_locked(files[_i].locked), "%s: later",
		      files[_i].name);
	ck_assert_msg(!files[_i].user || !is_locked(files[_i].user),
		      "%s: user, later", files[_i].name);
}
END_TEST

START_TEST(files_are_roots_alone)
{
	struct stat st;

	umask(0);
	with_turn(ANN, 0);
	ck_assert_int_eq(stat(PATH_TURNS, &st), 0);
	ck_assert_uint_eq(st.st_mode, S_IFDIR | 0700);
	ck_assert_int_eq(stat(PATH_TURNS "/all.0", &st), 0);
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0600);
	ck_assert_int_eq(stat(PATH_TURNS "/user.1000", &st), 0);
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0600);
}
END_TEST

/* ---- holders that do not go on ---- */

START_TEST(a_killed_holder_delays_nobody)
{
	struct process *one = with_turn(_i ? ANN : ROOT, 0), *two;

	ck_assert_int_eq(kill(one->pid, SIGKILL), 0);
	two = with_turn(_i ? ANN : ROOT, 0);
	ck_assert(is_locked(_i ? "all.0" : "root.0"));
	give(two);
}
END_TEST

/*
 * A stopped holder delays another user by a second, and root's programs by a
 * minute if it is one of them.  Those go on without the lock.
 */
static const struct {
	const char *name;
	uint32_t caller, other;
	int speed;
	int64_t least, most;	/* ms of the clock */
} stops[] = {
	{ "another user", ANN, BOB, 1, 1000, 10000 },
	{ "another user, at another speed", ANN, BOB, 5, 1000, 50000 },
	{ "root", ANN, ROOT, 1, 0, 10000 },
	{ "root, by root", ROOT, ROOT, 100, 60000, 2000000 },
	{ "a user, by root", ROOT, ANN, 1, 0, 10000 },
};

START_TEST(a_stopped_holder)
{
	struct process *one, *two;
	int64_t ms;

	ROW(stops[_i].name);
	one = with_turn(stops[_i].caller, 0);
	ck_assert_int_eq(kill(one->pid, SIGSTOP), 0);
	speed = stops[_i].speed;
	two = with_turn(stops[_i].other, 0);
	ms = (real_ms() - two->begun) * speed;
	ck_assert_msg(ms >= stops[_i].least && ms < stops[_i].most,
		      "%s: %lld ms", stops[_i].name, (long long)ms);
	ck_assert_msg(stops[_i].least == 0 ||
		      is_locked(stops[_i].other == ROOT ? "root.0" : "all.0"),
		      "%s", stops[_i].name);
	give(two);
}
END_TEST

/* Then no other process of that user gets a hash, so this one ends. */
START_TEST(a_users_lock_that_never_comes)
{
	struct process *one = with_turn(ANN, 0), *two;
	int64_t ms;
	int status;

	ck_assert_int_eq(kill(one->pid, SIGSTOP), 0);
	speed = 200;
	two = begin(ANN, 1);
	ck_assert_int_eq(says(two, SOON), '-');
	ms = (real_ms() - two->begun) * speed;
	ck_assert_int_ge(ms, QUEUE_SECONDS * 1000);
	ck_assert_int_eq(waitpid(two->pid, &status, 0), two->pid);
	ck_assert_int_eq(status, 0);
	two->pid = 0;
	speed = 1;
	with_turn(BOB, 1);
}
END_TEST

/* ---- rule 5 ---- */

static const struct {
	const char *name, *command;
	bool no_locks;
} places[] = {
	{ "no /run", "rm -rf root/run", false },
	{ "no directory", "rm -rf root/run/lyra2", false },
	{ "it is a file", "touch " PATH_TURNS, false },
	{ "folders", "cd root/run/lyra2; mkdir -p turns/all.0 turns/root.0 "
	  "turns/user.1000", false },
	{ "links", "cd root/run/lyra2; mkdir turns; cd turns; for i in all.0 "
	  "root.0 user.1000; do touch other.$i; ln -s other.$i $i; done",
	  false },
	{ "no locks", "true", true },
};

START_TEST(goes_on_without_locks)
{
	struct process *p;

	ROW(places[_i].name);
	shell(places[_i].command);
	no_locks = places[_i].no_locks;
	p = with_turn(ANN, 0);
	ck_assert_msg(says(begin(ANN, 0), SOON) == 't', "%s: again",
		      places[_i].name);
	ck_assert_msg(says(begin(ROOT, 0), SOON) == 't', "%s: root",
		      places[_i].name);
	give(p);
	tell(p);
	ck_assert_msg(says(p, SOON) == 't', "%s: anew", places[_i].name);
}
END_TEST

/* ---- the cgroup ---- */

static bool is_moved(const char *directory)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s/cgroup.procs", PATH_CGROUP,
		 directory);
	return stat(path, &st) == 0 && st.st_size == 1;
}

/* Whether it is moved into the first one, init.scope, freezer and pids */
static const struct {
	const char *name, *lacks;
	uint32_t caller;
	const char *moved;
} moves[] = {
	{ "root", "", ROOT, "0000" },
	{ "user", "", ANN, "1011" },
	{ "container", "cgroup.procs", ANN, "0111" },
	{ "second version", "freezer pids", ANN, "1000" },
	{ "none", "cgroup.procs init.scope freezer pids", ANN, "0000" },
};

START_TEST(leaves_the_users_cgroup)
{
	char command[128], moved[5];

	ROW(moves[_i].name);
	snprintf(command, sizeof(command), "cd root/sys/fs/cgroup && rm -rf "
		 "%s; true", moves[_i].lacks);
	shell(command);
	with_turn(moves[_i].caller, 0);
	snprintf(moved, sizeof(moved), "%d%d%d%d", is_moved("."),
		 is_moved("init.scope"), is_moved("freezer"),
		 is_moved("pids"));
	ck_assert_msg(strcmp(moved, moves[_i].moved) == 0, "%s: %s",
		      moves[_i].name, moved);
}
END_TEST

/*
 * A process that waits for its own user counts on that user's limits.  One that
 * waits for others has left, so no user can freeze a process that has a turn.
 */
START_TEST(leaves_after_the_own_lock)
{
	struct process *first = with_turn(ANN, 0);

	shell(": >root/sys/fs/cgroup/cgroup.procs");
	ck_assert_int_eq(says(begin(_i ? BOB : ANN, 0), NEVER), '?');
	ck_assert(is_moved(".") == (_i == 1));
	give(first);
}
END_TEST

/* ---- the alarm ---- */

/* What waited for its turn has a limit for its work, of which it dies. */
START_TEST(work_has_a_limit)
{
	const struct request req = { .caller = _i ? ANN : ROOT };
	struct process *first = with_turn(req.caller, 0);
	struct sigaction action;
	unsigned left;

	if (fork() == 0) {
		const struct timespec t = { 0, NEVER * 1000000 };

		nanosleep(&t, NULL);
		tell(first);
		_exit(0);
	}
	process_number = 0;
	turn(&req, true);
	process_number = -1;
	left = alarm(0);
	ck_assert_uint_gt(left, WORK_SECONDS - 10);
	ck_assert_uint_le(left, WORK_SECONDS);
	ck_assert_int_eq(sigaction(SIGALRM, NULL, &action), 0);
	ck_assert(action.sa_handler == SIG_DFL);
	turn(&req, false);
	wait(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("turn");
	TCase *c = tcase_create("turn");

	tcase_set_timeout(c, 30);	/* some wait for SOON */
	check_descriptors(c);
	tcase_add_checked_fixture(c, start, stop);
	tcase_add_loop_test(c, who_waits_for_whom, 0, COUNT(pairs));
	tcase_add_loop_test(c, a_turn_is_a_lock, 0, COUNT(files));
	tcase_add_test(c, files_are_roots_alone);
	tcase_add_loop_test(c, a_killed_holder_delays_nobody, 0, 2);
	tcase_add_loop_test(c, a_stopped_holder, 0, COUNT(stops));
	tcase_add_test(c, a_users_lock_that_never_comes);
	tcase_add_loop_test(c, goes_on_without_locks, 0, COUNT(places));
	tcase_add_loop_test(c, leaves_the_users_cgroup, 0, COUNT(moves));
	tcase_add_loop_test(c, leaves_after_the_own_lock, 0, 2);
	tcase_add_loop_test(c, work_has_a_limit, 0, 2);
	suite_add_tcase(suite, c);
	return check_apart(suite);
}
