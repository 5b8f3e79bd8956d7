/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheduler: each rule of sched.h, and their promises with many requests */
#include <stdlib.h>
#include <string.h>

#include "check-main.h"
#include "pam/service/sched.h"

static struct sched s;

static void start(void)
{
	memset(&s, 0, sizeof(s));
}

static void add(int id, uint64_t source, uint64_t account)
{
	const struct sched_request r = {
		.id = id, .source = source, .account = account
	};

	ck_assert_int_eq(sched_add(&s, &r), 0);
}

/* Expects that the requests are served in this order, and then none. */
static void expect(const int *ids, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		ck_assert_int_eq(sched_next(&s), ids[i]);
	ck_assert_int_eq(sched_next(&s), -1);
}
#define EXPECT(...) expect((const int[]){ __VA_ARGS__ }, \
	sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

START_TEST(sources_take_turns)
{
	add(1, 10, 1);
	add(2, 10, 2);
	add(3, 10, 3);
	add(4, 20, 1);
	add(5, 30, 1);
	EXPECT(1, 4, 5, 2, 3);
	add(6, 10, 1);
	EXPECT(6);
	/* More requests do not cost it its place. */
	add(7, 10, 1);
	add(8, 20, 1);
	add(9, 10, 2);
	EXPECT(7, 8, 9);
}
END_TEST

START_TEST(accounts_of_a_source_take_turns)
{
	add(1, 10, 1);
	add(2, 10, 1);
	add(3, 10, 1);
	add(4, 10, 2);
	add(5, 10, 3);
	EXPECT(1, 4, 5, 2, 3);
}
END_TEST

START_TEST(who_has_gone_is_not_served)
{
	add(1, 10, 1);
	add(2, 10, 1);
	add(3, 20, 1);
	sched_remove(&s, 1);
	sched_remove(&s, 77);
	EXPECT(2, 3);
}
END_TEST

/* Adds the request of root at a console, or a rehash. */
static int add_kind(int id, uint64_t source, bool console, bool rehash)
{
	const struct sched_request r = {
		.id = id, .source = source, .account = 1,
		.console = console, .rehash = rehash
	};

	return sched_add(&s, &r);
}

START_TEST(console_gets_every_second_turn)
{
	int i;

	for (i = 0; i < 3; i++) {
		add(i, 10, 1);
		/* each from its own console, which is in the order, too */
		ck_assert_int_eq(add_kind(10 + i, (uint64_t)i, true, false), 0);
	}
	EXPECT(10, 0, 11, 1, 12, 2);
	/* A console that waited alone has had its turn. */
	add_kind(1, 1, true, false);
	add_kind(2, 1, true, false);
	add_kind(3, 1, true, false);
	ck_assert_int_eq(sched_next(&s), 1);
	ck_assert_int_eq(sched_next(&s), 2);
	add(4, 10, 1);
	EXPECT(4, 3);
}
END_TEST

START_TEST(rehash_comes_last)
{
	ck_assert_int_eq(add_kind(1, 10, false, true), 0);
	add(2, 20, 1);
	add(3, 10, 1);
	add(4, 10, 1);
	ck_assert_int_eq(add_kind(5, 30, true, false), 0);
	ck_assert_int_eq(add_kind(6, 30, true, false), 0);
	EXPECT(5, 2, 6, 3, 4, 1);
}
END_TEST

START_TEST(a_held_source_waits)
{
	add(1, 10, 1);
	add(2, 20, 1);
	sched_hold(&s, 10, true);
	sched_hold(&s, 30, true);
	EXPECT(2, -1);
	/*
	 * Source 30 is held although it had no request then, and another one
	 * came meanwhile.
	 */
	add(5, 40, 1);
	add(3, 30, 1);
	EXPECT(5, -1);
	sched_hold(&s, 30, false);
	sched_hold(&s, 99, false);
	EXPECT(3, -1);
	ck_assert_int_eq(add_kind(4, 10, false, true), 0);
	EXPECT(4);
	sched_hold(&s, 10, false);
	EXPECT(1);
}
END_TEST

/* Fills the queue, with about as many requests of each source. */
static void fill(int sources)
{
	int i;

	for (i = 0; i < SCHED_MAX; i++)
		add(i, (uint64_t)(i % sources), (uint64_t)i);
	ck_assert_int_eq(s.lost, -1);
}

START_TEST(most_loses_its_newest)
{
	int i;

	fill(4);
	/* Four colluders, and one new source after the other. */
	for (i = 0; i < 8; i++) {
		add(5000 + i, (uint64_t)(100 + i), 1);
		ck_assert_int_eq(s.lost, SCHED_MAX - 1 - i);
		ck_assert_uint_eq(s.count, SCHED_MAX);
	}
	/* The source with most requests gets no more. */
	ck_assert_int_eq(add_kind(6000, 2, false, false), -1);
	ck_assert_int_eq(s.lost, 6000);
	/* With a free place, no source loses a request. */
	sched_remove(&s, 0);
	add(6001, 2, 1);
	ck_assert_int_eq(s.lost, -1);
}
END_TEST

/* With one request of each source, no source has more than the new one. */
START_TEST(newest_of_equals_loses)
{
	fill(SCHED_MAX);
	ck_assert_int_eq(add_kind(7000, 7000, false, false), -1);
	ck_assert_int_eq(s.lost, 7000);
	ck_assert_int_eq(sched_next(&s), 0);
	add(7001, 7000, 1);
	ck_assert_int_eq(s.lost, -1);
}
END_TEST

START_TEST(rehash_is_lost_first)
{
	int i;

	for (i = 0; i < SCHED_MAX - 2; i++)
		add(i, 1, 1);
	ck_assert_int_eq(add_kind(3000, 2, false, true), 0);
	ck_assert_int_eq(add_kind(3001, 3, false, true), 0);
	add(3002, 1, 1);
	ck_assert_int_eq(s.lost, 3001);
	add(3003, 1, 1);
	ck_assert_int_eq(s.lost, 3000);
	ck_assert_int_eq(add_kind(3004, 4, false, true), -1);
	ck_assert_int_eq(s.lost, 3004);
}
END_TEST

START_TEST(console_is_lost_last)
{
	int i;

	for (i = 0; i < SCHED_MAX; i++)
		ck_assert_int_eq(add_kind(i, i < 9 ? 2 : 1, i >= 9, false), 0);
	for (i = 8; i >= 0; i--) {
		ck_assert_int_eq(add_kind(4000 + i, 1, true, false), 0);
		ck_assert_int_eq(s.lost, i);
	}
	ck_assert_int_eq(add_kind(5000, 2, false, false), -1);
	ck_assert_int_eq(add_kind(5001, 1, true, false), -1);
	ck_assert_int_eq(s.lost, 5001);
}
END_TEST

/*
 * Colluders who send requests without pause: no source with fewer requests
 * loses one.  Each of its requests waits for one hash of each source at most.
 */
START_TEST(colluders_refuse_nobody)
{
	const int colluders = _i ? 40 : 4;
	int round, i, id = SCHED_MAX, served;

	fill(colluders);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 2600; i++)
			add_kind(++id, (uint64_t)(i % colluders), false, false);
		add(0, 100, 1);
		for (served = 0; sched_next(&s) != 0; served++)
			for (i = 0; i < 50; i++) {
				add_kind(++id, (uint64_t)(i % colluders),
					 false, false);
				ck_assert_int_ne(s.lost, 0);
			}
		ck_assert_int_le(served, colluders);
	}
}
END_TEST

static size_t sources_that_wait(void)
{
	size_t n = 0, i;

	for (i = 0; i < s.nsources; i++)
		n += s.sources[i].waiting > 0;
	return n;
}

/*
 * The only request of a source waits for at most one request of each source
 * that waits at that time, whatever comes later.
 */
START_TEST(nobody_waits_for_a_crowd)
{
	int round, i, id = 1;

	srand((unsigned)_i + 1);
	for (round = 0; round < 200; round++) {
		size_t others, served = 0;

		for (i = rand() % 40; i > 0; i--)
			add(id++, (uint64_t)(rand() % 9),
			    (uint64_t)(rand() % 5));
		others = sources_that_wait();
		add(0, 1000, 1);
		while (sched_next(&s) != 0) {
			served++;
			for (i = rand() % 3; i > 0 && s.count < 1000; i--)
				add(id++, (uint64_t)(rand() % 2000 + 2000), 1);
		}
		ck_assert_uint_le(served, others);
		while (s.count > 200)
			sched_next(&s);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sched");
	TCase *c = tcase_create("sched");

	tcase_add_checked_fixture(c, start, NULL);
	tcase_add_test(c, sources_take_turns);
	tcase_add_test(c, accounts_of_a_source_take_turns);
	tcase_add_test(c, who_has_gone_is_not_served);
	tcase_add_test(c, console_gets_every_second_turn);
	tcase_add_test(c, rehash_comes_last);
	tcase_add_test(c, most_loses_its_newest);
	tcase_add_test(c, newest_of_equals_loses);
	tcase_add_test(c, rehash_is_lost_first);
	tcase_add_test(c, console_is_lost_last);
	tcase_add_loop_test(c, colluders_refuse_nobody, 0, 2);
	tcase_add_test(c, a_held_source_waits);
	tcase_add_loop_test(c, nobody_waits_for_a_crowd, 0, 20);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
