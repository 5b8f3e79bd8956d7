/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The brake of lyra2d: each rule of brake.h and brake-file.h, users who make
 * mistakes, and attackers who play with simulated time.  The files are under
 * another root directory; system calls fail, or kill the process, on demand.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "pam/service/brake-file.h"
#include "pam/service/brake.h"
#include "src/config/paths.h"
#include "tests/lib/random.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define BEGIN (1000 * SECOND)
#define ALICE 1000
#define BOB 1001
#define OTHERS 0
#define OWN 1

/* ---- system calls ---- */

enum call { NO_CALL, OPEN, MKDIR, FLOCK, PREAD, PWRITE };

static enum call bad;		/* this call fails, */
static int reason;		/* with this error, */
static long part = -1;		/* or it writes so many bytes */
static int deadly;		/* the process is killed before that call */
static int64_t *clock_at;	/* which several processes may share */

static bool fails(enum call call)
{
	if (deadly > 0 && --deadly == 0)
		kill(getpid(), SIGKILL);
	if (bad != call || part >= 0)
		return false;
	errno = reason;
	return true;
}

static int open_unless_bad(int dir, const char *path, int flags, va_list args)
{
	const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;

	return fails(OPEN) ? -1 :
		(int)syscall(SYS_openat, dir, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_unless_bad(dir, path, flags, args);
	va_end(args);
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_unless_bad(AT_FDCWD, path, flags, args);
	va_end(args);
	return fd;
}

int mkdir(const char *path, mode_t mode)
{
	return fails(MKDIR) ? -1 : mkdirat(AT_FDCWD, path, mode);
}

int flock(int fd, int how)
{
	return fails(FLOCK) ? -1 : (int)syscall(SYS_flock, fd, how);
}

ssize_t pread(int fd, void *p, size_t len, off_t at)
{
	const struct iovec v = { p, len };

	return fails(PREAD) ? -1 : preadv(fd, &v, 1, at);
}

ssize_t pwrite(int fd, const void *p, size_t len, off_t at)
{
	const struct iovec v = { (void *)(uintptr_t)p,
		bad == PWRITE ? (size_t)part : len };

	return fails(PWRITE) ? -1 : pwritev(fd, &v, 1, at);
}

/* Only this clock counts the time that a machine sleeps, and not the date. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (clock != CLOCK_BOOTTIME || !clock_at)
		return (int)syscall(SYS_clock_gettime, clock, t);
	t->tv_sec = *clock_at / SECOND;
	t->tv_nsec = *clock_at % SECOND * 1000000 + 999999;
	return 0;
}

static struct brake_key k;
static int64_t now;

static void start(void)
{
	memset(&k, 0, sizeof(k));
	now = BEGIN;
	clock_at = &now;
	bad = NO_CALL;
	part = -1;
	ck_assert_int_eq(system("rm -rf root && mkdir -p root/run/lyra2"), 0);
}

static void stop(void)
{
	bad = NO_CALL;
	ck_assert_int_eq(system("rm -rf root"), 0);
}

/* Returns how long the next answer waits. */
static int64_t wait_of(const struct brake_key *key)
{
	const int64_t until = brake_until(key);

	return until > now ? until - now : 0;
}

/* An answer leaves as soon as it may.  Returns how long it has waited. */
static int64_t leaves(uint64_t number)
{
	const int64_t ms = wait_of(&k);

	now += ms;
	brake_leave(&k, number, now);
	return ms;
}

static void mistakes(int count)
{
	while (count-- > 0)
		leaves(0);
}

/* ---- the rules of brake.h ---- */

START_TEST(penalties_grow)
{
	static const int wait[] = { 0, 2, 2, 2, 8, 16, 32, 64, 64, 64 };
	int i;

	for (i = 0; i < COUNT(wait); i++) {
		ck_assert_int_eq(brake_wait(&k, 0, now), wait[i] * SECOND);
		ck_assert_int_eq(leaves(_i ? (uint64_t)i + 1 : 0),
				 wait[i] * SECOND);
	}
}
END_TEST

/* After so many mistakes, and a pause once the penalty is over */
static const struct {
	const char *name;
	int mistakes;
	int64_t pause;
	int wait;		/* after one mistake more */
} pauses[] = {
	{ "none", 7, 0, 64 },
	{ "almost", 7, BRAKE_QUIET_MS - 1, 64 },
	{ "one", 7, BRAKE_QUIET_MS, 32 },
	{ "almost two", 7, 2 * BRAKE_QUIET_MS - 1, 32 },
	{ "two", 7, 2 * BRAKE_QUIET_MS, 16 },
	{ "three", 7, 3 * BRAKE_QUIET_MS, 8 },
	{ "four", 7, 4 * BRAKE_QUIET_MS, 2 },
	{ "a day", 7, 24 * 60 * MINUTE, 2 },
	{ "no mistake", 0, 24 * 60 * MINUTE, 2 },
	{ "the end of time", 7, INT64_MAX / 2, 2 },
};

START_TEST(level_falls_when_quiet)
{
	ROW(pauses[_i].name);
	mistakes(pauses[_i].mistakes);
	now += wait_of(&k) + pauses[_i].pause;
	mistakes(1);
	ck_assert_msg(wait_of(&k) == pauses[_i].wait * SECOND, "%s: %lld ms",
		      pauses[_i].name, (long long)wait_of(&k));
}
END_TEST

/*
 * Each letter is an answer that leaves as soon as it may: "w" is wrong, a to h
 * are right.  "+a" admits one, "_" is a quiet time.
 */
static const struct {
	const char *name, *script;
	int wait;		/* then, in seconds */
} plays[] = {
	{ "at once", "a+a", 0 },
	{ "many", "a+ab+bc+cd+d", 0 },
	{ "in between", "wawb+a+b", 0 },
	{ "in between, and what is left", "wawb+a+bw", 2 },
	{ "in between, and all that is left", "wawb+a+bww", 8 },
	{ "not admitted", "abc", 2 },
	{ "level 3", "abcd", 8 },
	{ "one of four", "abcd+b", 2 },
	{ "all of four, backwards", "abcd+d+c+b+a", 0 },
	{ "twice", "aw+a+a", 2 },
	{ "one with no such name", "wwww+a", 8 },
	{ "a wrong one never", "wwww+w", 8 },
	{ "only its own penalty", "awwww+a", 8 },
	{ "at the top", "wwwwwwwa+a", 0 },
	/* Then the next mistake shows that the level had fallen by two. */
	{ "late, at the top", "wwwwwww_a_+aw", 16 },
	/* What left between counts when it left, not when that was heard. */
	{ "late, and mistakes between", "a_b_c_wwww+a+b+c", 8 },
	{ "late, and nothing gained", "awww_____+aw", 2 },
	{ "so many can be admitted", "abcdefgh+a+b+c+d+e+f+g+h", 0 },
	{ "wrong ones push none out", "awwwwwww+a", 64 },
	{ "wrong ones among right ones", "awbwcw+a+b+cw", 8 },
};

static void play_one(const char *p)
{
	for (; *p; p++)
		if (*p == '_')
			now += wait_of(&k) + BRAKE_QUIET_MS;
		else if (*p == '+')
			brake_admit(&k, *++p == 'w' ? 0 : (uint64_t)*p);
		else
			leaves(*p == 'w' ? 0 : (uint64_t)*p);
}

START_TEST(admitted_answers_leave_no_trace)
{
	ROW(plays[_i].name);
	play_one(plays[_i].script);
	ck_assert_msg(wait_of(&k) == plays[_i].wait * SECOND, "%s: %lld ms",
		      plays[_i].name, (long long)wait_of(&k));
}
END_TEST

START_TEST(only_recent_answers_are_admitted)
{
	struct brake_key before;

	play_one("abcdefghi");
	before = k;
	brake_admit(&k, 'a');
	ck_assert_int_eq(memcmp(&before, &k, sizeof(k)), 0);
	brake_admit(&k, 'b');
	ck_assert_int_ne(memcmp(&before, &k, sizeof(k)), 0);
}
END_TEST

/* What a user is told is what then happens. */
START_TEST(wait_is_told)
{
	int64_t wait[10];
	unsigned i;

	mistakes(_i);
	for (i = 0; i < 10; i++)
		wait[i] = now + brake_wait(&k, i, now);
	for (i = 0; i < 10; i++) {
		leaves(0);
		ck_assert_int_eq(now, wait[i]);
	}
}
END_TEST

static const struct {
	const char *name, *script;
	bool failed;
} failures[] = {
	{ "nothing", "", false },
	{ "wrong", "w", true },
	{ "right", "a", false },
	{ "right, then wrong", "aw", true },
	{ "admitted, then wrong", "aw+a", true },
	{ "many that may be admitted", "abcdefgh", false },
	{ "long ago", "w__", false },
	{ "admitted later", "ab+a+b", false },
};

START_TEST(only_failures_are_spoken_of)
{
	ROW(failures[_i].name);
	play_one(failures[_i].script);
	ck_assert_msg(brake_failed(&k, now) == failures[_i].failed, "%s",
		      failures[_i].name);
}
END_TEST

START_TEST(a_running_penalty_is_a_failure)
{
	mistakes(1);
	now += 2 * SECOND - 1;
	ck_assert(brake_failed(&k, now));
	now += BRAKE_QUIET_MS;
	ck_assert(brake_failed(&k, now));
	now += 1;
	ck_assert(!brake_failed(&k, now));
}
END_TEST

START_TEST(raised_to_the_top)
{
	mistakes(_i);
	leaves(7);
	brake_raise(&k, now);
	brake_admit(&k, 7);
	ck_assert(brake_failed(&k, now));
	ck_assert_int_eq(leaves(0), 0);
	ck_assert_int_eq(leaves(0), 64 * SECOND);
}
END_TEST

#define IN(ms) (BEGIN + (ms))

static const struct {
	const char *name;
	struct brake_key key;
	int wait;		/* -1: it cannot be one */
} keys[] = {
	{ "empty", { .count = 0 }, 0 },
	{ "now", { .base = { IN(5000), 3 } }, 5 },
	{ "the longest", { .base = { IN(64000), 6 } }, 64 },
	{ "a bit in the future", { .base = { IN(64001), 6 } }, 64 },
	{ "far in the future", { .base = { INT64_MAX, 6 } }, 64 },
	{ "an answer of the future",
	  { .count = 1, .recent = { { INT64_MAX, 1 } } }, 2 },
	{ "one of many",
	  { { 0, 0 }, 3, { { 1, 1 }, { IN(1), 2 }, { IN(2), 0 } } }, 2 },
	{ "negative time", { .base = { -1, 3 } }, -1 },
	{ "the most negative time", { .base = { INT64_MIN, 3 } }, -1 },
	{ "negative answer", { .count = 1, .recent = { { -1, 1 } } }, -1 },
	{ "a high level", { .base = { 5, 7 } }, -1 },
	{ "the highest level", { .base = { 5, UINT64_MAX } }, -1 },
	{ "nine answers", { .count = 9 }, -1 },
	{ "negative count", { .count = UINT64_MAX }, -1 },
};

START_TEST(times_come_into_range)
{
	ROW(keys[_i].name);
	k = keys[_i].key;
	ck_assert_msg(brake_check(&k, now) == (keys[_i].wait >= 0), "%s",
		      keys[_i].name);
	if (keys[_i].wait >= 0)
		ck_assert_msg(wait_of(&k) == keys[_i].wait * SECOND,
			      "%s: %lld ms", keys[_i].name,
			      (long long)wait_of(&k));
}
END_TEST

/* ---- honest use ---- */

/*
 * A user gives the next answer so many ms after the last one.  r is right, and
 * admitted after 50 ms; w is wrong.
 */
static const struct {
	const char *name, *answers;
	int64_t pause, longest;
} users[] = {
	{ "sudo, whose delay is that of the first penalties", "wwr", 3000, 0 },
	{ "su, interrupted after its answer has left", "wwwr", 3000, 0 },
	{ "passwd and chsh by a script", "rrrrrrrrrrrrrrrrrrrr", 10, 0 },
	{ "a locker, mistyped five times", "wwwwwr", 1000, 14950 },
	{ "a locker, mistyped six times", "wwwwwwr", 1000, 30950 },
};

START_TEST(honest_users_wait_little)
{
	int64_t longest = 0, ms;
	const char *p;

	ROW(users[_i].name);
	for (p = users[_i].answers; *p; p++) {
		now += users[_i].pause;
		ms = leaves(*p == 'r');
		ck_assert(p > users[_i].answers || ms == 0);
		longest = ms > longest ? ms : longest;
		now += 50;
		brake_admit(&k, *p == 'r');
	}
	ck_assert_msg(longest == users[_i].longest, "%s: %lld ms",
		      users[_i].name, (long long)longest);
}
END_TEST

/* ---- attackers ---- */

/*
 * Returns the most wrong answers that can leave in the rest of the time, in
 * seconds, by any strategy: at once, or after any number of quiet times.  To
 * wait for less than one gains nothing.
 */
static int most(int64_t left, uint64_t level)
{
	static int memo[3601][BRAKE_TOP + 1];	/* one more than the result */
	struct brake_key next;
	int64_t wait;
	int n, best = 0;

	if (left < 0)
		return 0;
	if (memo[left][level] > 0)
		return memo[left][level] - 1;
	for (wait = 0; wait <= left; wait += BRAKE_QUIET_MS / SECOND) {
		next = (struct brake_key){ .base = { BEGIN, level } };
		brake_leave(&next, 0, BEGIN + wait * SECOND);
		n = 1 + most(left - (next.base.until - BEGIN) / SECOND,
			     next.base.level);
		best = n > best ? n : best;
	}
	memo[left][level] = best + 1;
	return best;
}

/* The header's bounds are reached, so it promises neither more nor less. */
START_TEST(bounds_are_exact)
{
	ck_assert_int_eq(most(600, 0), 15);
	ck_assert_int_eq(most(3600, 0), 62);
}
END_TEST

#define GUESSES 20000

struct guess {
	int64_t left;
	uint64_t number;	/* 0: it counts */
};

static struct guess guesses[2][GUESSES];
static size_t nguesses[2];

struct attack {
	uint64_t seed;
	int64_t real;		/* the time that passes for the attacker */
	uint32_t own, right, admit, rest, rewind, scale;
	uint64_t number;
};

static bool chance(struct attack *a, uint32_t percent)
{
	return random_in(&a->seed, 1, 100) <= percent;
}

/* One of the last answers turns out to be admitted, however late. */
static void admit_one(struct attack *a, struct brake_key *key, int own)
{
	const size_t back = random_in(&a->seed, 1, 12);
	struct guess *g;
	const struct brake_key before = *key;

	if (back > nguesses[own])
		return;
	g = &guesses[own][nguesses[own] - back];
	if (g->number == 0)
		return;
	brake_admit(key, g->number);
	if (memcmp(&before, key, sizeof(before)) != 0)
		g->left = -1;
}

static void one_step(struct attack *a, struct brake_key *levels)
{
	const int own = chance(a, a->own);
	struct brake_key *key = &levels[own];
	uint64_t number;

	if (brake_until(key) <= now) {
		number = chance(a, a->right) ? ++a->number : 0;
		brake_leave(key, number, now);
		ck_assert_uint_lt(nguesses[own], GUESSES);
		guesses[own][nguesses[own]++] =
			(struct guess){ a->real, number };
	}
	if (chance(a, a->admit))
		admit_one(a, key, own);
}

/*
 * Some attackers wait for the brake; some let it rest for long.  The clock may
 * be that of an earlier boot.
 */
static void let_time_pass(struct attack *a, const struct brake_key *levels)
{
	int64_t ms = wait_of(&levels[chance(a, a->own)]);

	if (chance(a, 30))
		ms = random_in(&a->seed, 0, a->scale);
	if (chance(a, a->rest))
		ms += BRAKE_QUIET_MS * random_in(&a->seed, 0, 9);
	a->real += ms;
	now += ms;
	if (chance(a, a->rewind))
		now -= random_in(&a->seed, 0, 900000);
}

/* through: each step has only what the file has. */
static void play(uint64_t seed, unsigned steps, bool through)
{
	struct attack a = { .seed = seed };
	struct brake_key levels[2];
	struct brake_file f;
	int64_t ms;

	memset(levels, 0, sizeof(levels));
	nguesses[0] = nguesses[1] = 0;
	now = BEGIN + 60 * 60 * MINUTE;
	a.own = random_in(&a.seed, 0, 100);
	a.right = chance(&a, 30) ? 0 : random_in(&a.seed, 0, 100);
	a.admit = random_in(&a.seed, 0, 60);
	a.rest = chance(&a, 50) ? 0 : random_in(&a.seed, 0, 30);
	a.rewind = through && chance(&a, 30) ? 1 : 0;
	a.scale = UINT32_C(1) << random_in(&a.seed, 0, 17);
	while (steps-- > 0 && a.real < 120 * MINUTE) {
		if (through) {
			ck_assert_int_eq(brake_file_take(&f, ALICE, &ms),
					 BRAKE_TAKEN);
			ck_assert(ms == now && !f.damaged);
			one_step(&a, f.keys);
			memcpy(levels, f.keys, sizeof(levels));
			ck_assert_int_eq(brake_file_give(&f, true), 0);
		} else {
			one_step(&a, levels);
		}
		let_time_pass(&a, levels);
	}
}

/* Any 16 and any 63 answers that were not admitted take at least so long. */
static void check_bounds(void)
{
	static int64_t times[GUESSES];
	size_t i, n;
	int own;

	for (own = 0; own < 2; own++) {
		for (i = n = 0; i < nguesses[own]; i++)
			if (guesses[own][i].left >= 0)
				times[n++] = guesses[own][i].left;
		for (i = 15; i < n; i++)
			ck_assert_int_gt(times[i] - times[i - 15], 10 * MINUTE);
		for (i = 62; i < n; i++)
			ck_assert_int_gt(times[i] - times[i - 62], 60 * MINUTE);
	}
}

START_TEST(attackers_get_no_more)
{
	uint64_t i;

	for (i = 0; i < 500; i++) {
		play((uint64_t)_i * 500 + i, 3000, false);
		check_bounds();
	}
}
END_TEST

/* Each step is as if by another process. */
START_TEST(restarts_give_no_more)
{
	char path[64];
	uint64_t i;

	snprintf(path, sizeof(path), "%s/%d", PATH_BRAKE, ALICE);
	for (i = 0; i < 25; i++) {
		play((uint64_t)_i * 25 + i, 500, true);
		check_bounds();
		ck_assert_int_eq(unlink(path), 0);
	}
}
END_TEST

/* ---- the file ---- */

static struct brake_file f, g;

static enum brake_state take(struct brake_file *file, uint32_t caller)
{
	int64_t ms = 0;
	const enum brake_state state = brake_file_take(file, caller, &ms);

	ck_assert_int_eq(ms, now);
	ck_assert_uint_eq(file->caller, caller);
	ck_assert((file->fd >= 0) == (state == BRAKE_TAKEN));
	return state;
}

/* One answer leaves, if it may.  Returns true if it has left. */
static bool answer(uint32_t caller, int own, uint64_t number)
{
	bool may;

	ck_assert_int_eq(take(&f, caller), BRAKE_TAKEN);
	may = brake_until(&f.keys[own]) <= now;
	if (may)
		brake_leave(&f.keys[own], number, now);
	ck_assert_int_eq(brake_file_give(&f, may), 0);
	return may;
}

/* Returns how long the next answer of a key in the file waits. */
static int64_t file_wait(uint32_t caller, int own)
{
	int64_t ms;

	ck_assert_int_eq(take(&f, caller), BRAKE_TAKEN);
	ms = wait_of(&f.keys[own]);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
	return ms;
}

START_TEST(keys_are_apart)
{
	ck_assert(answer(ALICE, OTHERS, 0));
	ck_assert(!answer(ALICE, OTHERS, 0));
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 2 * SECOND);
	ck_assert_int_eq(file_wait(ALICE, OWN), 0);
	ck_assert_int_eq(file_wait(BOB, OTHERS), 0);
	ck_assert(answer(ALICE, OWN, 0) && answer(BOB, OTHERS, 0));
	ck_assert_int_eq(file_wait(UINT32_MAX, OTHERS), 0);
	ck_assert(answer(UINT32_MAX, OTHERS, 0));
	ck_assert_int_eq(file_wait(UINT32_MAX, OTHERS), 2 * SECOND);
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 2 * SECOND);
}
END_TEST

/* The one that hears of the login need not be the one that sent the answer. */
START_TEST(an_answer_is_admitted_by_another_process)
{
	ck_assert(answer(ALICE, OTHERS, 77));
	ck_assert_int_eq(take(&g, ALICE), BRAKE_TAKEN);
	brake_admit(&g.keys[OTHERS], 77);
	ck_assert_int_eq(brake_file_give(&g, true), 0);
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 0);
}
END_TEST

START_TEST(what_has_not_changed_is_not_written)
{
	ck_assert(answer(ALICE, OTHERS, 0));
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	brake_raise(&f.keys[OTHERS], now);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 2 * SECOND);
}
END_TEST

static void expect_mode(const char *path, mode_t mode)
{
	struct stat st;

	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode, mode);
}

START_TEST(files_are_roots_alone)
{
	const mode_t mask = umask(_i ? 0 : 077);

	ck_assert(answer(ALICE, OTHERS, 0));
	umask(mask);
	expect_mode(PATH_BRAKE, S_IFDIR | 0700);
	expect_mode(PATH_BRAKE "/1000", S_IFREG | 0600);
}
END_TEST

/* A lock that is held costs no time, and stays with its process. */
START_TEST(lock_is_exclusive)
{
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	ck_assert_int_eq(take(&g, ALICE), BRAKE_UNUSABLE);
	ck_assert_int_eq(errno, EWOULDBLOCK);
	ck_assert_int_eq(take(&g, BOB), BRAKE_TAKEN);
	ck_assert_int_eq(brake_file_give(&g, false), 0);
	ck_assert_int_eq(take(&g, ALICE), BRAKE_UNUSABLE);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
	ck_assert_int_eq(take(&g, ALICE), BRAKE_TAKEN);
	ck_assert_int_eq(brake_file_give(&g, false), 0);
}
END_TEST

/* The time may have passed while the process was stopped before the lock. */
START_TEST(clock_is_asked_under_the_lock)
{
	int64_t ms;

	ck_assert(answer(ALICE, OTHERS, 0));
	now += 500 * SECOND;
	ck_assert_int_eq(brake_file_take(&f, ALICE, &ms), BRAKE_TAKEN);
	ck_assert_int_eq(ms, BEGIN + 500 * SECOND);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
	ck_assert_int_eq(brake_file_now(), BEGIN + 500 * SECOND);
}
END_TEST

/* ---- a file or a place that cannot be used ---- */

#define FILE_OF "f=" PATH_BRAKE "/1000; "

static const struct {
	const char *name, *command;	/* of the shell, with files of both */
	enum call bad;
	int reason;		/* "command" only: what is expected */
	enum brake_state state;
	bool other;		/* another user's file can be used */
} places[] = {
	{ "no /run", "rm -rf root/run", NO_CALL, ENOENT, BRAKE_NO_PLACE,
	  false },
	{ "no directory", "rm -rf root/run/lyra2", NO_CALL, ENOENT,
	  BRAKE_NO_PLACE, false },
	{ "the directory is a file", "rm -rf root/run/lyra2; "
	  "touch root/run/lyra2", NO_CALL, ENOTDIR, BRAKE_NO_PLACE, false },
	{ "the place is a file", "rm -rf " PATH_BRAKE "; touch " PATH_BRAKE,
	  NO_CALL, ENOTDIR, BRAKE_NO_PLACE, false },
	{ "a link", FILE_OF "mv $f $f.2; ln -s 1000.2 $f", NO_CALL, ELOOP,
	  BRAKE_UNUSABLE, true },
	{ "a link to nothing", FILE_OF "rm $f; ln -s none $f", NO_CALL, ELOOP,
	  BRAKE_UNUSABLE, true },
	{ "a folder", FILE_OF "rm $f; mkdir $f", NO_CALL, EISDIR,
	  BRAKE_UNUSABLE, true },
	{ "a FIFO", FILE_OF "rm $f; mkfifo -m 600 $f", NO_CALL, EPERM,
	  BRAKE_UNUSABLE, true },
	{ "the group may read", FILE_OF "chmod 640 $f", NO_CALL, EPERM,
	  BRAKE_UNUSABLE, true },
	{ "all may write", FILE_OF "chmod 602 $f", NO_CALL, EPERM,
	  BRAKE_UNUSABLE, true },
	{ "read-only", "", OPEN, EROFS, BRAKE_NO_PLACE, true },
	{ "no inode", "", OPEN, ENOSPC, BRAKE_NO_PLACE, true },
	{ "no quota", "", OPEN, EDQUOT, BRAKE_NO_PLACE, true },
	{ "no right", "", OPEN, EACCES, BRAKE_NO_PLACE, true },
	{ "not permitted", "", OPEN, EPERM, BRAKE_NO_PLACE, true },
	{ "no descriptor", "", OPEN, EMFILE, BRAKE_UNUSABLE, true },
	{ "no descriptor anywhere", "", OPEN, ENFILE, BRAKE_UNUSABLE, true },
	{ "no memory", "", OPEN, ENOMEM, BRAKE_UNUSABLE, true },
	{ "no lock", "", FLOCK, ENOLCK, BRAKE_UNUSABLE, true },
	{ "a signal", "", FLOCK, EINTR, BRAKE_UNUSABLE, true },
	{ "no reading", "", PREAD, EIO, BRAKE_UNUSABLE, true },
	{ "no reading without memory", "", PREAD, ENOMEM, BRAKE_UNUSABLE,
	  true },
	{ "no place for the directory", "rm -rf " PATH_BRAKE, MKDIR, ENOSPC,
	  BRAKE_NO_PLACE, true },
	{ "no memory for the directory", "rm -rf " PATH_BRAKE, MKDIR, ENOMEM,
	  BRAKE_UNUSABLE, true },
	{ "full", FILE_OF "rm $f", PWRITE, ENOSPC, BRAKE_NO_PLACE, true },
	{ "full for the user", FILE_OF "rm $f", PWRITE, EDQUOT, BRAKE_NO_PLACE,
	  true },
	{ "no memory for a page", FILE_OF "rm $f", PWRITE, ENOMEM,
	  BRAKE_UNUSABLE, true },
	{ "no page within the limits", FILE_OF "rm $f", PWRITE, EFBIG,
	  BRAKE_UNUSABLE, true },
};

START_TEST(a_file_that_cannot_be_used)
{
	enum brake_state state;
	int error;

	ROW(places[_i].name);
	ck_assert(answer(ALICE, OTHERS, 0) && answer(BOB, OTHERS, 0));
	ck_assert_int_eq(system(places[_i].command), 0);
	bad = places[_i].bad;
	reason = places[_i].reason;
	state = take(&f, ALICE);
	error = errno;
	bad = NO_CALL;
	ck_assert_msg(state == places[_i].state, "%s: %d", places[_i].name,
		      state);
	ck_assert_msg(error == places[_i].reason, "%s: %s", places[_i].name,
		      strerror(error));
	if (!places[_i].other)
		return;
	ck_assert_msg(take(&g, BOB) == BRAKE_TAKEN && !g.damaged, "%s: others",
		      places[_i].name);
	ck_assert_int_eq(brake_file_give(&g, false), 0);
}
END_TEST

START_TEST(a_file_of_another_owner)
{
	if (geteuid() != 0)
		return;
	ck_assert(answer(ALICE, OTHERS, 0));
	ck_assert_int_eq(chown(PATH_BRAKE "/1000", 1, 0), 0);
	ck_assert_int_eq(take(&f, ALICE), BRAKE_UNUSABLE);
	ck_assert_int_eq(errno, EPERM);
	ck_assert(answer(BOB, OTHERS, 0));
}
END_TEST

static const struct {
	const char *name;
	int reason;
} lockless[] = {
	{ "no such call", ENOSYS }, { "forbidden", EPERM },
	{ "no such lock", EINVAL }, { "not on this file", EOPNOTSUPP },
};

/* Where there are no locks, there are still levels. */
START_TEST(a_system_without_locks)
{
	ROW(lockless[_i].name);
	bad = FLOCK;
	reason = lockless[_i].reason;
	ck_assert_msg(take(&f, ALICE) == BRAKE_TAKEN, "%s", lockless[_i].name);
	brake_leave(&f.keys[OTHERS], 0, now);
	ck_assert_int_eq(brake_file_give(&f, true), 0);
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 2 * SECOND);
}
END_TEST

/* What had no space for the first time is no damage for the next. */
START_TEST(space_may_come_back)
{
	bad = PWRITE;
	reason = ENOSPC;
	part = _i ? _i : -1;
	ck_assert_int_eq(take(&f, ALICE), BRAKE_NO_PLACE);
	ck_assert_int_eq(errno, ENOSPC);
	bad = NO_CALL;
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	ck_assert(!f.damaged && wait_of(&f.keys[OTHERS]) == 0);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
}
END_TEST

/* ---- damage ---- */

/* Both keys have the highest level, also for the next process. */
static void expect_top(const char *why, long where)
{
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	ck_assert_msg(f.damaged, "%s at %ld is not seen", why, where);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	ck_assert_msg(!f.damaged, "%s at %ld is not repaired", why, where);
	brake_leave(&f.keys[OWN], 0, now);
	brake_leave(&f.keys[OTHERS], 0, now);
	ck_assert_int_eq(wait_of(&f.keys[OWN]), 64 * SECOND);
	ck_assert_int_eq(wait_of(&f.keys[OTHERS]), 64 * SECOND);
	ck_assert_int_eq(brake_file_give(&f, true), 0);
}

static long image(const char *name, unsigned char *bytes, size_t room)
{
	FILE *file = fopen(name, "rb");
	long size;

	ck_assert_ptr_nonnull(file);
	size = (long)fread(bytes, 1, room, file);
	fclose(file);
	ck_assert_int_gt(size, 100);
	ck_assert_int_lt(size, (long)room);
	return size;
}

static void put(const char *name, const unsigned char *bytes, long size)
{
	FILE *file = fopen(name, "wb");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, (size_t)size, file), (size_t)size);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(damage_fails_closed)
{
	unsigned char bytes[1024];
	long size, i;

	ck_assert(answer(ALICE, OTHERS, 5));
	size = image(PATH_BRAKE "/1000", bytes, sizeof(bytes));
	for (i = 0; i < size; i++) {
		bytes[i] ^= 0x10;
		put(PATH_BRAKE "/1000", bytes, size);
		bytes[i] ^= 0x10;
		expect_top("a change", i);
	}
	for (i = 1; i < size; i++) {
		put(PATH_BRAKE "/1000", bytes, i);
		expect_top("the end", i);
	}
	put(PATH_BRAKE "/1000", bytes, size);
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 2 * SECOND);
	ck_assert_int_eq(file_wait(BOB, OTHERS), 0);
}
END_TEST

START_TEST(a_file_of_another_caller_is_damage)
{
	ck_assert(answer(BOB, OTHERS, 0));
	ck_assert_int_eq(rename(PATH_BRAKE "/1001", PATH_BRAKE "/1000"), 0);
	expect_top("another's", 0);
}
END_TEST

START_TEST(an_empty_file_has_no_levels)
{
	ck_assert(answer(ALICE, OTHERS, 0));
	ck_assert_int_eq(truncate(PATH_BRAKE "/1000", 0), 0);
	ck_assert_int_eq(file_wait(ALICE, OTHERS), 0);
}
END_TEST

/* The sum is right, but the numbers are from another clock, or senseless. */
START_TEST(odd_numbers_in_the_file)
{
	ROW(keys[_i / 2].name);
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	f.keys[_i % 2] = keys[_i / 2].key;
	ck_assert_int_eq(brake_file_give(&f, true), 0);
	if (keys[_i / 2].wait < 0)
		expect_top(keys[_i / 2].name, _i);
	else
		ck_assert_msg(file_wait(ALICE, _i % 2) ==
			      keys[_i / 2].wait * SECOND, "%s",
			      keys[_i / 2].name);
}
END_TEST

/* The write ends in the middle. */
START_TEST(a_failed_write_fails_closed)
{
	ck_assert(answer(ALICE, OTHERS, 0));
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	brake_raise(&f.keys[OTHERS], now);
	bad = PWRITE;
	part = 20;
	ck_assert_int_eq(brake_file_give(&f, true), BRAKE_NO_PLACE);
	ck_assert_int_eq(errno, ENOSPC);
	bad = NO_CALL;
	expect_top("a short write", 0);
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	bad = PWRITE;
	reason = EIO;
	part = -1;
	ck_assert_int_eq(brake_file_give(&f, true), BRAKE_UNUSABLE);
	ck_assert_int_eq(errno, EIO);
	bad = NO_CALL;
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	ck_assert_int_eq(brake_file_give(&f, false), 0);
}
END_TEST

/* ---- processes ---- */

/*
 * One answer leaves in a process that is killed before so many system calls.
 * Returns false if it makes fewer.
 */
static bool killed_before(int call)
{
	int status = -1;
	const pid_t pid = fork();

	if (pid == 0) {
		deadly = call;
		(void)answer(ALICE, OTHERS, 0);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(status == 0 || status == SIGKILL, "%d: %d", call, status);
	return status == SIGKILL;
}

/* Killed before any of its system calls, it leaves a sound file, unlocked. */
START_TEST(a_killed_process_leaves_a_sound_file)
{
	bool was_killed;
	int64_t wait;
	int call = 0;

	ck_assert(answer(ALICE, OTHERS, 0));
	now += 2 * SECOND;
	do {
		was_killed = killed_before(++call);
		ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
		ck_assert(!f.damaged);
		wait = wait_of(&f.keys[OTHERS]);
		ck_assert_msg(wait == (was_killed ? 0 : 2 * SECOND),
			      "%d: %lld ms", call, (long long)wait);
		ck_assert_int_eq(brake_file_give(&f, false), 0);
	} while (was_killed && call < 100);
	ck_assert_int_gt(call, 1);
	ck_assert(!was_killed);
}
END_TEST

#define PROCESSES 4

struct shared {			/* under the lock of the file */
	int64_t clock;
	size_t count;
	int64_t left[1000];
};

/* Each process answers as often as it may; all share the clock. */
static void compete(struct shared *s)
{
	const struct timespec pause = { 0, 50000 };
	int64_t ms = 0;
	bool may;

	clock_at = &s->clock;
	while (ms < BEGIN + 20 * MINUTE) {
		if (brake_file_take(&f, ALICE, &ms) == BRAKE_TAKEN) {
			may = brake_until(&f.keys[OTHERS]) <= ms;
			if (may) {
				brake_leave(&f.keys[OTHERS], 0, ms);
				s->left[s->count++] = ms;
			}
			s->clock += 400;
			if (f.damaged ||
			    brake_file_give(&f, may) != BRAKE_TAKEN)
				_exit(1);
		}
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

START_TEST(processes_that_compete_get_no_more)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int i, status;
	size_t n;

	ck_assert_ptr_ne(s, MAP_FAILED);
	s->clock = now;
	/* The lock stops all processes until the last one has started. */
	ck_assert_int_eq(take(&f, ALICE), BRAKE_TAKEN);
	for (i = 0; i < PROCESSES; i++)
		if (fork() == 0) {
			close(f.fd);
			compete(s);
		}
	ck_assert_int_eq(brake_file_give(&f, false), 0);
	for (i = 0; i < PROCESSES; i++) {
		ck_assert_int_ge(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	for (n = 15; n < s->count; n++)
		ck_assert_int_gt(s->left[n] - s->left[n - 15], 10 * MINUTE);
	ck_assert_uint_ge(s->count, 22);
	ck_assert_uint_le(s->count, 25);
}
END_TEST

/* ---- all of them ---- */

static TCase *with(Suite *suite, const char *name)
{
	TCase *c = tcase_create(name);

	check_descriptors(c);
	tcase_add_checked_fixture(c, start, stop);
	suite_add_tcase(suite, c);
	return c;
}

static void add_rules(TCase *c)
{
	tcase_add_loop_test(c, penalties_grow, 0, 2);
	tcase_add_loop_test(c, level_falls_when_quiet, 0, COUNT(pauses));
	tcase_add_loop_test(c, admitted_answers_leave_no_trace, 0,
			    COUNT(plays));
	tcase_add_test(c, only_recent_answers_are_admitted);
	tcase_add_loop_test(c, wait_is_told, 0, 9);
	tcase_add_loop_test(c, only_failures_are_spoken_of, 0,
			    COUNT(failures));
	tcase_add_test(c, a_running_penalty_is_a_failure);
	tcase_add_loop_test(c, raised_to_the_top, 0, 9);
	tcase_add_loop_test(c, times_come_into_range, 0, COUNT(keys));
	tcase_add_loop_test(c, honest_users_wait_little, 0, COUNT(users));
}

static void add_files(TCase *c)
{
	tcase_add_test(c, keys_are_apart);
	tcase_add_test(c, an_answer_is_admitted_by_another_process);
	tcase_add_test(c, what_has_not_changed_is_not_written);
	tcase_add_loop_test(c, files_are_roots_alone, 0, 2);
	tcase_add_test(c, lock_is_exclusive);
	tcase_add_test(c, clock_is_asked_under_the_lock);
	tcase_add_loop_test(c, a_file_that_cannot_be_used, 0, COUNT(places));
	tcase_add_test(c, a_file_of_another_owner);
	tcase_add_loop_test(c, a_system_without_locks, 0, COUNT(lockless));
	tcase_add_loop_test(c, space_may_come_back, 0, 3);
	tcase_add_test(c, damage_fails_closed);
	tcase_add_test(c, a_file_of_another_caller_is_damage);
	tcase_add_test(c, an_empty_file_has_no_levels);
	tcase_add_loop_test(c, odd_numbers_in_the_file, 0, 2 * COUNT(keys));
	tcase_add_test(c, a_failed_write_fails_closed);
	tcase_add_test(c, a_killed_process_leaves_a_sound_file);
	tcase_add_test(c, processes_that_compete_get_no_more);
}

int main(void)
{
	Suite *suite = suite_create("brake");
	TCase *c;

	add_rules(with(suite, "rules"));
	c = with(suite, "attackers");
	tcase_add_test(c, bounds_are_exact);
	tcase_add_loop_test(c, attackers_get_no_more, 0, 8);
	tcase_add_loop_test(c, restarts_give_no_more, 0, 4);
	add_files(with(suite, "file"));
	return check_apart(suite);
}
