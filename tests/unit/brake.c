/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The brake of lyra2d: each rule of brake.h and brake-file.h, users who make
 * mistakes, and attackers who play with simulated time
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "pam/service/brake-file.h"
#include "pam/service/brake.h"
#include "tests/lib/random.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define ALICE UINT64_C(1000)
#define BOB UINT64_C(1001)
#define OTHERS false
#define OWN true

static struct brake b, other;
static int64_t now;
static char path[200];

static void start(void)
{
	const char *dir = getenv("TMPDIR");

	memset(&b, 0, sizeof(b));
	memset(&other, 0, sizeof(other));
	now = 1000 * SECOND;
	snprintf(path, sizeof(path), "%s/brake-%ld", dir ? dir : "/tmp",
		 (long)getpid());
}

static int opened[4], nopened;

static void stop(void)
{
	unlink(path);
	while (nopened > 0)
		close(opened[--nopened]);
}

static void add(int id, uint64_t caller, bool own)
{
	ck_assert_int_eq(brake_add(&b, id, caller, own, now), 0);
}

/* The answer leaves after exactly so many seconds, and none before it. */
static void leaves_after(int id, int64_t seconds)
{
	ck_assert_int_eq(brake_wake(&b, now), seconds * SECOND);
	if (seconds > 0) {
		ck_assert_int_eq(brake_next(&b, now), -1);
		now += seconds * SECOND - 1;
		ck_assert_int_eq(brake_next(&b, now), -1);
		now++;
	}
	ck_assert_int_eq(brake_next(&b, now), id);
}

/* Brings a key to a level, by so many mistakes at the same time. */
static void mistakes(int count)
{
	int i;

	for (i = 0; i < count; i++) {
		add(99, ALICE, OTHERS);
		now += brake_wake(&b, now);
		ck_assert_int_eq(brake_next(&b, now), 99);
		brake_end(&b, 99);
	}
}

/* Returns how long the key's next answer would wait. */
static int64_t wait_of(uint64_t caller, bool own)
{
	int64_t ms;

	add(98, caller, own);
	ms = brake_wait(&b, 98, now);
	brake_end(&b, 98);
	return ms;
}

/* ---- the rules of brake.h ---- */

/* Returns how many of the key's answers wait. */
static unsigned count_of(uint64_t caller, bool own)
{
	const struct brake_key *k;
	unsigned n = 0;
	size_t i;

	for (i = 0; i < b.nwaiting; i++) {
		k = &b.keys[b.waiting[i].key];
		n += k->caller == caller && k->own == own;
	}
	return n;
}

START_TEST(keys_are_apart)
{
	mistakes(7);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 64 * SECOND);
	ck_assert_int_eq(wait_of(ALICE, OWN), 0);
	ck_assert_int_eq(wait_of(BOB, OTHERS), 0);
	add(1, ALICE, OTHERS);
	add(2, ALICE, OWN);
	ck_assert_int_eq(brake_next(&b, now), 2);
	ck_assert_int_eq(brake_next(&b, now), -1);
}
END_TEST

START_TEST(only_failures_are_spoken_of)
{
	add(1, ALICE, OTHERS);
	add(2, ALICE, OTHERS);
	add(3, ALICE, OTHERS);
	leaves_after(1, 0);
	/* Answer 1 may still turn out to be free. */
	ck_assert(!brake_failed(&b, 3, now));
	leaves_after(2, 2);
	brake_end(&b, 2);
	ck_assert(brake_failed(&b, 3, now));
	ck_assert(!brake_failed(&b, 4, now));
	brake_free(&b, 1, now);
	ck_assert(brake_failed(&b, 3, now));
	leaves_after(3, 2);
	add(4, ALICE, OWN);
	ck_assert(!brake_failed(&b, 4, now));
	add(5, ALICE, OTHERS);
	now += 3 * BRAKE_QUIET_MS;
	ck_assert(!brake_failed(&b, 4, now));
}
END_TEST

START_TEST(answers_leave_in_order)
{
	int id;

	for (id = 1; id <= 5; id++)
		add(id, ALICE, OTHERS);
	ck_assert_uint_eq(count_of(ALICE, OTHERS), 5);
	ck_assert_uint_eq(count_of(BOB, OTHERS), 0);
	ck_assert_int_eq(brake_wait(&b, 1, now), 0);
	ck_assert_int_eq(brake_wait(&b, 2, now), 2 * SECOND);
	ck_assert_int_eq(brake_wait(&b, 5, now), 14 * SECOND);
	ck_assert_int_eq(brake_wait(&b, 6, now), -1);
	leaves_after(1, 0);
	leaves_after(2, 2);
	leaves_after(3, 2);
	/* Answer 3 was free, so answer 4 leaves at once. */
	brake_free(&b, 3, now);
	ck_assert_int_eq(brake_wait(&b, 5, now), 2 * SECOND);
	leaves_after(4, 0);
	leaves_after(5, 2);
	ck_assert_int_eq(brake_wake(&b, now), -1);
}
END_TEST

START_TEST(penalties_grow)
{
	static const int wait[] = { 0, 2, 2, 2, 8, 16, 32, 64, 64, 64 };
	int i;

	for (i = 0; i < 10; i++) {
		add(i, ALICE, OTHERS);
		leaves_after(i, wait[i]);
	}
}
END_TEST

START_TEST(level_falls_when_quiet)
{
	mistakes(7);
	now += 64 * SECOND + BRAKE_QUIET_MS - 1;
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 64 * SECOND);
	now += 64 * SECOND + BRAKE_QUIET_MS;
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 32 * SECOND);
	now += 32 * SECOND + 5 * BRAKE_QUIET_MS;
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
	now += 1000 * MINUTE;
	mistakes(3);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
}
END_TEST

START_TEST(free_answer_leaves_no_trace)
{
	int i;

	for (i = 0; i < 100; i++) {
		add(i, ALICE, OTHERS);
		leaves_after(i, 0);
		brake_free(&b, i, now);
	}
	/* The same if a late answer is free, at the highest level. */
	mistakes(7);
	now += 64 * SECOND;
	add(1, ALICE, OTHERS);
	leaves_after(1, 0);
	now += 200 * SECOND;
	brake_free(&b, 1, now);
	mistakes(1);
	/* 64 s of penalty and 200 s later the level has fallen by three. */
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 8 * SECOND);
}
END_TEST

/*
 * An answer that is free late takes back its own penalty, not that of others.
 */
START_TEST(late_free_gives_nothing)
{
	int i;

	for (i = 0; i < 5; i++) {
		add(i, ALICE, OTHERS);
		leaves_after(i, 0);
		now += 2 * SECOND + BRAKE_QUIET_MS;
	}
	mistakes(4);
	for (i = 0; i < 5; i++)
		brake_free(&b, i, now);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 8 * SECOND);
	/* Being late gained nothing: the level is that of one answer. */
	now += 1000 * MINUTE;
	add(1, ALICE, OTHERS);
	add(2, ALICE, OTHERS);
	leaves_after(1, 0);
	leaves_after(2, 2);
	brake_free(&b, 1, now);
	brake_free(&b, 1, now);
	mistakes(2);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 8 * SECOND);
}
END_TEST

START_TEST(only_recent_answers_are_freed)
{
	int i;

	for (i = 0; i <= BRAKE_RECENT; i++) {
		add(i, ALICE, OTHERS);
		now += brake_wake(&b, now);
		ck_assert_int_eq(brake_next(&b, now), i);
	}
	for (i = 0; i <= BRAKE_RECENT; i++)
		brake_free(&b, i, now);
	/* The first one counts, and its penalty has long been over. */
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 0);
	mistakes(2);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
}
END_TEST

START_TEST(connection_that_ends_is_forgotten)
{
	add(1, ALICE, OTHERS);
	add(2, ALICE, OTHERS);
	add(3, ALICE, OTHERS);
	leaves_after(1, 0);
	brake_end(&b, 1);
	brake_end(&b, 2);
	brake_free(&b, 1, now);	/* another answer may have this number by now */
	ck_assert_int_eq(brake_wait(&b, 3, now), 2 * SECOND);
	brake_end(&b, 3);
	ck_assert_int_eq(brake_wake(&b, now), -1);
	ck_assert_uint_eq(count_of(ALICE, OTHERS), 0);
}
END_TEST

START_TEST(full_table_forgets_no_penalty)
{
	int i;

	mistakes(2);		/* Alice's level is the highest */
	for (i = 1; i < BRAKE_KEYS; i++) {
		add(1, BOB + (uint64_t)i, OTHERS);
		ck_assert_int_eq(brake_next(&b, now), 1);
		brake_end(&b, 1);
	}
	ck_assert_int_eq(brake_add(&b, 1, BOB, OTHERS, now), -1);
	ck_assert_int_eq(brake_next(&b, now), -1);
	now += 2 * SECOND;
	add(1, BOB, OTHERS);
	ck_assert_int_eq(brake_next(&b, now), 1);
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 8 * SECOND);
	/* A key whose answer waits stays, though its level is the lowest. */
	now += 1000 * MINUTE;
	add(7, BOB + 7, OTHERS);
	for (i = 1; i < BRAKE_KEYS; i++)
		add(8, UINT64_C(9000) + (uint64_t)i, OWN);
	ck_assert_uint_eq(count_of(BOB + 7, OTHERS), 1);
	ck_assert_uint_eq(count_of(9001, OWN), 1);
	brake_end(&b, 7);
	brake_end(&b, 8);
	/* There is no room for more answers than can wait. */
	for (i = 0; i < BRAKE_WAITING; i++)
		add(i, ALICE, OTHERS);
	ck_assert_int_eq(brake_add(&b, 1, ALICE, OTHERS, now), -1);
}
END_TEST

START_TEST(clock_may_leap)
{
	mistakes(7);
	now -= 500 * SECOND;
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 64 * SECOND);
	now += 63 * SECOND;
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 1 * SECOND);
	now = -5;
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 1 * SECOND);
	now = INT64_MAX;
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 0);
	mistakes(1);
	now = 0;
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
	now = 2 * SECOND;
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 0);
}
END_TEST

/* ---- honest use ---- */

/*
 * A user gives the next answer pause ms after the last one.  r is right, and
 * free after 50 ms; w is wrong.  Returns the longest wait.  Other answers do
 * not wait.
 */
static int64_t longest_wait(const char *answers, int64_t pause, bool own)
{
	int64_t longest = 0, ms;
	const char *p;

	for (p = answers; *p; p++) {
		now += pause;
		add(1, ALICE, own);
		ms = brake_wake(&b, now);
		if (ms > longest)
			longest = ms;
		ck_assert(p > answers || ms == 0);
		now += ms;
		ck_assert_int_eq(brake_next(&b, now), 1);
		now += 50;
		if (*p == 'r')
			brake_free(&b, 1, now);
		brake_end(&b, 1);
	}
	return longest;
}

START_TEST(honest_users_wait_little)
{
	/* sudo, whose fail delay is as long as the first penalties */
	ck_assert_int_eq(longest_wait("wwr", 3 * SECOND, OTHERS), 0);
	start();
	/* su, interrupted after its answer has left */
	ck_assert_int_eq(longest_wait("wwwr", 3 * SECOND, OTHERS), 0);
	start();
	/* passwd and chsh in a row, by a script */
	ck_assert_int_eq(longest_wait("rrrrrrrrrrrrrrrrrrrr", 10, OWN), 0);
	start();
	/* a locker, mistyped five times, then right */
	ck_assert_int_eq(longest_wait("wwwwwr", 1 * SECOND, OWN), 14950);
	start();
	ck_assert_int_le(longest_wait("wwwwwwr", 1 * SECOND, OWN), 35 * SECOND);
}
END_TEST

/* ---- attackers ---- */

#define CONNECTIONS 50
#define HOURS 2

struct guess {
	int64_t left;
	int id;
	bool open, was_free;
};

static struct guess guesses[2][100000];
static size_t nguesses[2];

enum stage { IDLE, WAITS, LEFT };

struct attack {
	uint64_t seed;
	int64_t real;		/* the time that passes for the attacker */
	uint32_t connections, own, right, report, end, ahead;
	enum stage stage[CONNECTIONS];
	bool is_right[CONNECTIONS], is_own[CONNECTIONS];
	int fd;			/* of the file, or -1 */
};

static bool chance(struct attack *a, uint32_t percent)
{
	return random_in(&a->seed, 1, 100) <= percent;
}

static void end_connection(struct attack *a, int id)
{
	size_t i;
	int own;

	brake_end(&b, id);
	a->stage[id] = IDLE;
	for (own = 0; own < 2; own++)
		for (i = nguesses[own]; i > 0 && i + 200 > nguesses[own]; i--)
			if (guesses[own][i - 1].id == id)
				guesses[own][i - 1].open = false;
}

static void answer_left(struct attack *a, int id)
{
	const bool own = a->is_own[id];

	ck_assert_int_eq(a->stage[id], WAITS);
	ck_assert_uint_lt(nguesses[own], 100000);
	guesses[own][nguesses[own]++] = (struct guess){
		.left = a->real, .id = id, .open = a->is_right[id]
	};
	a->stage[id] = LEFT;
	if (!a->is_right[id])
		end_connection(a, id);
}

/* A correct answer turns out to be free, soon or long after it has left. */
static void report_free(struct attack *a, int id)
{
	size_t i;
	int own;

	brake_free(&b, id, now);
	for (own = 0; own < 2; own++)
		for (i = 0; i < nguesses[own]; i++)
			if (guesses[own][i].id == id && guesses[own][i].open)
				guesses[own][i].was_free = true;
	end_connection(a, id);
}

static void one_step(struct attack *a, int id)
{
	int left;

	switch (a->stage[id]) {
	case IDLE:
		a->is_own[id] = chance(a, a->own);
		a->is_right[id] = chance(a, a->right);
		if (brake_add(&b, id, ALICE, a->is_own[id], now) == 0)
			a->stage[id] = WAITS;
		break;
	case WAITS:
		if (chance(a, a->end))
			end_connection(a, id);
		break;
	case LEFT:
		if (chance(a, a->report))
			report_free(a, id);
		else if (chance(a, a->end))
			end_connection(a, id);
		break;
	}
	while ((left = brake_next(&b, now)) >= 0)
		answer_left(a, left);
}

/* Some attackers wait for the brake; some let it rest for long. */
static void let_time_pass(struct attack *a, uint32_t scale)
{
	int64_t ms = brake_wake(&b, now);

	if (ms < 0 || chance(a, 30))
		ms = random_in(&a->seed, 0, scale);
	if (chance(a, a->ahead) && chance(a, 5))
		ms += random_in(&a->seed, 0, 500000);
	a->real += ms;
	now += ms;
	if (chance(a, 1) && chance(a, 10))
		now -= random_in(&a->seed, 0, 900000);
}

/* The service ends; the next one has only the file. */
static void restart(struct attack *a)
{
	int id;

	for (id = 0; id < CONNECTIONS; id++)
		end_connection(a, id);
	ck_assert_int_eq(brake_file_save(a->fd, &b, now), 0);
	memset(&b, 0, sizeof(b));
	ck_assert_int_eq(brake_file_load(a->fd, &b, now), 0);
}

static void play(uint64_t seed, int fd)
{
	struct attack a = { .seed = seed, .fd = fd };
	uint32_t scale, steps;

	start();
	nguesses[0] = nguesses[1] = 0;
	a.connections = chance(&a, 50) ? random_in(&a.seed, 1, 3) :
		random_in(&a.seed, 1, CONNECTIONS);
	a.own = random_in(&a.seed, 0, 100);
	a.right = chance(&a, 30) ? 0 : random_in(&a.seed, 0, 100);
	a.report = random_in(&a.seed, 0, 60);
	a.end = random_in(&a.seed, 0, 20);
	a.ahead = chance(&a, 50) ? 0 : random_in(&a.seed, 0, 100);
	scale = UINT32_C(1) << random_in(&a.seed, 0, 17);
	if (fd >= 0)
		ck_assert_int_eq(brake_file_load(fd, &b, now), 0);
	for (steps = 0; steps < 3000 && a.real < HOURS * 60 * MINUTE; steps++) {
		one_step(&a, (int)random_in(&a.seed, 0, a.connections - 1));
		let_time_pass(&a, scale);
		if (fd >= 0 && chance(&a, 2))
			restart(&a);
	}
	if (fd >= 0)
		ck_assert_int_eq(brake_file_save(fd, &b, now), 0);
}

/* Any 16 and any 63 answers that were not free take at least so long. */
static void check_bounds(void)
{
	static int64_t times[100000];
	size_t i, n;
	int own;

	for (own = 0; own < 2; own++) {
		for (i = n = 0; i < nguesses[own]; i++)
			if (!guesses[own][i].was_free)
				times[n++] = guesses[own][i].left;
		for (i = 15; i < n; i++)
			ck_assert_int_gt(times[i] - times[i - 15], 10 * MINUTE);
		for (i = 62; i < n; i++)
			ck_assert_int_gt(times[i] - times[i - 62], 60 * MINUTE);
	}
}

/* The header's bounds are reached, so it promises neither more nor less. */
START_TEST(bounds_are_exact)
{
	int ten = 0, sixty = 0;
	const int64_t begin = now;

	while (now - begin <= 60 * MINUTE) {
		ten += now - begin <= 10 * MINUTE;
		sixty++;
		mistakes(1);
		add(1, ALICE, OTHERS);
		now += brake_wake(&b, now);
		brake_end(&b, 1);
	}
	ck_assert_int_eq(ten, 15);
	ck_assert_int_eq(sixty, 62);
}
END_TEST

START_TEST(attackers_get_no_more)
{
	uint64_t i;

	for (i = 0; i < 500; i++) {
		play((uint64_t)_i * 500 + i, -1);
		check_bounds();
	}
}
END_TEST

START_TEST(restarts_give_no_more)
{
	uint64_t i;
	int fd;

	for (i = 0; i < 100; i++) {
		fd = brake_file_open(path);
		ck_assert_int_ge(fd, 0);
		play((uint64_t)_i * 100 + i, fd);
		close(fd);
		unlink(path);
		check_bounds();
	}
}
END_TEST

/* ---- the file ---- */

static int begin(struct brake *of, int fd)
{
	ck_assert_int_eq(brake_file_lock(fd, 0), 0);
	return brake_file_load(fd, of, now);
}

static void end(struct brake *of, int fd)
{
	ck_assert_int_eq(brake_file_save(fd, of, now), 0);
}

/* One transaction: one of Alice's answers leaves, if it may. */
static int answer(struct brake *of, int fd, int id)
{
	int left;

	ck_assert_int_eq(begin(of, fd), 0);
	ck_assert_int_eq(brake_add(of, id, ALICE, OTHERS, now), 0);
	left = brake_next(of, now);
	if (left < 0)
		brake_end(of, id);
	end(of, fd);
	return left;
}

static int open_file(void)
{
	const int fd = brake_file_open(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_lt(nopened, 4);
	return opened[nopened++] = fd;
}

START_TEST(two_processes_share_levels)
{
	const int one = open_file(), two = open_file();

	ck_assert_int_eq(answer(&b, one, 1), 1);
	ck_assert_int_eq(answer(&other, two, 2), -1);
	now += 2 * SECOND;
	ck_assert_int_eq(answer(&other, two, 2), 2);
	/*
	 * After another process has written a level, an older answer cannot be
	 * free.
	 */
	ck_assert_int_eq(begin(&b, one), 0);
	brake_free(&b, 1, now);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
	end(&b, one);
	/*
	 * An answer that is free lowers the level for the other process, too.
	 */
	ck_assert_int_eq(begin(&other, two), 0);
	brake_free(&other, 2, now);
	end(&other, two);
	ck_assert_int_eq(answer(&b, one, 3), 3);
	ck_assert_int_eq(begin(&b, one), 0);
	brake_free(&b, 3, now);
	end(&b, one);
	ck_assert_int_eq(begin(&other, two), 0);
	ck_assert_int_eq(brake_add(&other, 5, ALICE, OTHERS, now), 0);
	ck_assert_int_eq(brake_wait(&other, 5, now), 0);
	end(&other, two);
}
END_TEST

/* An answer stays open while another process writes about other keys. */
START_TEST(other_keys_do_not_close_answers)
{
	const int one = open_file(), two = open_file();

	ck_assert_int_eq(answer(&b, one, 1), 1);
	ck_assert_int_eq(begin(&other, two), 0);
	ck_assert_int_eq(brake_add(&other, 2, BOB, OTHERS, now), 0);
	ck_assert_int_eq(brake_next(&other, now), 2);
	end(&other, two);
	ck_assert_int_eq(begin(&b, one), 0);
	brake_free(&b, 1, now);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 0);
	ck_assert_int_eq(wait_of(BOB, OTHERS), 2 * SECOND);
	end(&b, one);
	/*
	 * The other process has the new level, not the old one that it had
	 * read.
	 */
	ck_assert_int_eq(answer(&other, two, 3), 3);
}
END_TEST

START_TEST(lock_is_exclusive)
{
	const int one = open_file(), two = open_file();

	ck_assert_int_eq(begin(&b, one), 0);
	ck_assert_int_eq(brake_file_lock(two, 5), -1);
	ck_assert_int_eq(errno, EWOULDBLOCK);
	end(&b, one);
	ck_assert_int_eq(begin(&other, two), 0);
	end(&other, two);
}
END_TEST

/* Without the lock the service goes on, and merges its levels afterwards. */
START_TEST(unsaved_levels_are_merged)
{
	const int one = open_file(), two = open_file();

	ck_assert_int_eq(answer(&other, two, 1), 1);
	mistakes(5);
	ck_assert_int_eq(begin(&b, one), 0);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 16 * SECOND);
	end(&b, one);
	ck_assert_int_eq(answer(&other, two, 2), -1);
	now += 16 * SECOND - 1;
	ck_assert_int_eq(answer(&other, two, 2), -1);
	now += 1;
	ck_assert_int_eq(answer(&other, two, 2), 2);
}
END_TEST

START_TEST(restarted_service_remembers)
{
	int fd = open_file();

	mistakes(7);
	ck_assert_int_eq(begin(&b, fd), 0);
	end(&b, fd);
	close(fd);
	memset(&b, 0, sizeof(b));
	now += 4 * SECOND;
	fd = open_file();
	ck_assert_int_eq(begin(&b, fd), 0);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 60 * SECOND);
	end(&b, fd);
	/* The clock of another boot: not more than the longest penalty. */
	memset(&b, 0, sizeof(b));
	now = 5;
	ck_assert_int_eq(begin(&b, fd), 0);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 64 * SECOND);
	ck_assert_int_eq(wait_of(BOB, OTHERS), 0);
	end(&b, fd);
}
END_TEST

/*
 * Each key has the highest level, also for the next service, until it is quiet.
 */
static void expect_all_at_top(int fd)
{
	memset(&b, 0, sizeof(b));
	ck_assert_int_eq(begin(&b, fd), 1);
	ck_assert_int_eq(wait_of(ALICE, OWN), 0);
	ck_assert_int_eq(wait_of(BOB, OTHERS), 0);
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 64 * SECOND);
	end(&b, fd);
	memset(&b, 0, sizeof(b));
	ck_assert_int_eq(begin(&b, fd), 0);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 64 * SECOND);
	add(1, BOB, OWN);
	ck_assert_int_eq(brake_next(&b, now), 1);
	ck_assert_int_eq(wait_of(BOB, OWN), 64 * SECOND);
	end(&b, fd);
}

START_TEST(damage_fails_closed)
{
	const int fd = open_file();
	unsigned char good[400], bad;
	ssize_t size;
	off_t i;

	mistakes(3);
	ck_assert_int_eq(begin(&b, fd), 0);
	end(&b, fd);
	size = pread(fd, good, sizeof(good), 0);
	ck_assert_int_eq(size, sizeof(good));
	/* One byte is changed: in the head, or in one record of 24 bytes. */
	for (i = 0; i < 40 + 24; i++) {
		bad = good[i] ^ 0x10;
		ck_assert_int_eq(pwrite(fd, good, sizeof(good), 0), size);
		ck_assert_int_eq(pwrite(fd, &bad, 1, i), 1);
		expect_all_at_top(fd);
	}
	for (i = 1; i < 40 + 24; i++) {
		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq(pwrite(fd, good, (size_t)i, 0), i);
		expect_all_at_top(fd);
	}
	now += 64 * SECOND + BRAKE_TOP * BRAKE_QUIET_MS;
	memset(&b, 0, sizeof(b));
	ck_assert_int_eq(begin(&b, fd), 0);
	mistakes(1);
	ck_assert_int_eq(wait_of(ALICE, OTHERS), 2 * SECOND);
}
END_TEST

START_TEST(foreign_file_is_refused)
{
	int fd;

	ck_assert_int_eq(symlink("/dev/null", path), 0);
	ck_assert_int_eq(brake_file_open(path), -1);
	unlink(path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(brake_file_open(path), -1);
	rmdir(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(brake_file_open(path), -1);
	ck_assert_int_eq(errno, EPERM);
	unlink(path);
	fd = open_file();
	ck_assert_int_eq(fchmod(fd, 0640), 0);
	ck_assert_int_eq(brake_file_open(path), -1);
	ck_assert_int_eq(errno, EPERM);
	ck_assert_int_eq(fchmod(fd, 0600), 0);
	if (geteuid() == 0 && fchown(fd, 1, 0) == 0)
		ck_assert_int_eq(brake_file_open(path), -1);
}
END_TEST

/* Check writes to a file, too: no assertion may run while the limit is low. */
static void limit_files(bool low)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0) {
		limit.rlim_cur = low ? 100 : limit.rlim_max;
		setrlimit(RLIMIT_FSIZE, &limit);
	}
}

START_TEST(failed_write_fails_closed)
{
	int fd, i;

	limit_files(true);
	fd = brake_file_open(path);
	limit_files(false);
	ck_assert_int_eq(fd, -1);
	fd = open_file();
	/* The write ends in the middle of a record. */
	for (i = 0; i < 9; i++)
		add(i, BOB + (uint64_t)i, OWN);
	while (brake_next(&b, now) >= 0)
		;
	ck_assert_int_eq(begin(&b, fd), 0);
	limit_files(true);
	i = brake_file_save(fd, &b, now);
	limit_files(false);
	ck_assert_int_eq(i, -1);
	ck_assert(b.changed);
	expect_all_at_top(fd);
}
END_TEST

/* With as many keys as possible, the file holds all of them. */
START_TEST(full_file_is_read)
{
	const int fd = open_file();
	int i;

	for (i = 0; i < BRAKE_KEYS; i++)
		add(i, BOB + (uint64_t)i, OTHERS);
	for (i = 0; i < BRAKE_KEYS; i++)
		ck_assert_int_eq(brake_next(&b, now), i);
	ck_assert_int_eq(begin(&b, fd), 0);
	end(&b, fd);
	ck_assert_int_eq(begin(&other, fd), 0);
	end(&other, fd);
	ck_assert_uint_eq(other.nkeys, BRAKE_KEYS);
	ck_assert_int_eq(brake_add(&other, 1, BOB, OTHERS, now), 0);
	ck_assert_int_eq(brake_wait(&other, 1, now), 2 * SECOND);
}
END_TEST

#define PROCESSES 4

struct shared {			/* under the lock */
	int64_t clock;
	size_t count;
	int64_t left[1000];
};

/* Each process answers as often as it may; all share the clock. */
static void compete(struct shared *s, int id)
{
	const struct timespec pause = { 0, 50000 };
	const int fd = open(path, O_RDWR);

	while (now < 1000 * SECOND + 20 * MINUTE) {
		if (brake_file_lock(fd, 10000) < 0)
			_exit(4);
		now = s->clock += 400;
		if (brake_file_load(fd, &b, now) != 0)
			_exit(1);
		if (count_of(ALICE, OTHERS) == 0 &&
		    brake_add(&b, id, ALICE, OTHERS, now) < 0)
			_exit(2);
		if (brake_next(&b, now) >= 0)
			s->left[s->count++] = now;
		if (brake_file_save(fd, &b, now) < 0)
			_exit(3);
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

START_TEST(processes_that_compete_get_no_more)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct timespec pause = { 0, 50000000 };
	int i, status, fd = open_file();
	size_t n;

	ck_assert_ptr_ne(s, MAP_FAILED);
	s->clock = now;
	/* The lock stops all processes until the last one has started. */
	ck_assert_int_eq(brake_file_lock(fd, 0), 0);
	for (i = 0; i < PROCESSES; i++)
		if (fork() == 0)
			compete(s, i);
	nanosleep(&pause, NULL);
	ck_assert_int_eq(brake_file_save(fd, &b, now), 0);
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

/* The machine has slept for a while, which only one clock counts. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	const int r = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_BOOTTIME)
		t->tv_sec += 1000;
	return r;
}

/* A new date ends no penalty, and begins none. */
START_TEST(time_is_not_the_date)
{
	struct timespec before, after;
	int64_t ms;

	clock_gettime(CLOCK_BOOTTIME, &before);
	ms = brake_file_now();
	clock_gettime(CLOCK_BOOTTIME, &after);
	ck_assert_int_ge(ms, (int64_t)before.tv_sec * 1000);
	ck_assert_int_le(ms, (int64_t)after.tv_sec * 1000 + 1000);
}
END_TEST

static TCase *with(Suite *suite, const char *name)
{
	TCase *c = tcase_create(name);

	check_descriptors(c);
	tcase_add_checked_fixture(c, start, stop);
	suite_add_tcase(suite, c);
	return c;
}

int main(void)
{
	Suite *suite = suite_create("brake");
	TCase *c = with(suite, "rules");

	tcase_add_test(c, keys_are_apart);
	tcase_add_test(c, answers_leave_in_order);
	tcase_add_test(c, only_failures_are_spoken_of);
	tcase_add_test(c, penalties_grow);
	tcase_add_test(c, level_falls_when_quiet);
	tcase_add_test(c, free_answer_leaves_no_trace);
	tcase_add_test(c, late_free_gives_nothing);
	tcase_add_test(c, only_recent_answers_are_freed);
	tcase_add_test(c, connection_that_ends_is_forgotten);
	tcase_add_test(c, full_table_forgets_no_penalty);
	tcase_add_test(c, clock_may_leap);
	tcase_add_test(c, time_is_not_the_date);
	tcase_add_test(c, honest_users_wait_little);
	c = with(suite, "attackers");
	tcase_add_test(c, bounds_are_exact);
	tcase_add_loop_test(c, attackers_get_no_more, 0, 8);
	tcase_add_loop_test(c, restarts_give_no_more, 0, 4);
	c = with(suite, "file");
	tcase_add_test(c, two_processes_share_levels);
	tcase_add_test(c, other_keys_do_not_close_answers);
	tcase_add_test(c, lock_is_exclusive);
	tcase_add_test(c, unsaved_levels_are_merged);
	tcase_add_test(c, restarted_service_remembers);
	tcase_add_test(c, damage_fails_closed);
	tcase_add_test(c, foreign_file_is_refused);
	tcase_add_test(c, failed_write_fails_closed);
	tcase_add_test(c, full_file_is_read);
	tcase_add_test(c, processes_that_compete_get_no_more);
	return check_main(suite);
}
