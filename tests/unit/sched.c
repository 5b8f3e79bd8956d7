/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheduler of lyra2d: each rule of sched.h, and its promise in a crowd. */
#include <stdlib.h>
#include <string.h>

#include "check-main.h"
#include "pam/service/sched.h"

static struct sched s;
static int64_t now;

static void start(void)
{
	memset(&s, 0, sizeof(s));
	now = 1000;
}

static void add(int id, uint64_t source, uint64_t account)
{
	const struct sched_request r = {
		.id = id, .source = source, .account = account
	};

	ck_assert_int_eq(sched_add(&s, &r, now), 0);
}

/* Whether those who wait are served in this order, and then nobody. */
static void expect(const int *ids, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		ck_assert_int_eq(sched_next(&s, now), ids[i]);
	ck_assert_int_eq(sched_next(&s, now), -1);
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

START_TEST(console_goes_first_but_not_always)
{
	struct sched_request r = { .source = 1, .console = true };
	int i;

	for (i = 0; i < 3; i++) {
		add(i, 10, 1);
		r.id = 10 + i;
		ck_assert_int_eq(sched_add(&s, &r, now), 0);
	}
	EXPECT(10, 0, 11, 1, 12, 2);
}
END_TEST

START_TEST(rehash_comes_last)
{
	const struct sched_request r = {
		.id = 1, .source = 10, .account = 1, .rehash = true
	};

	ck_assert_int_eq(sched_add(&s, &r, now), 0);
	add(2, 20, 1);
	add(3, 10, 1);
	add(4, 10, 1);
	EXPECT(2, 3, 4, 1);
}
END_TEST

START_TEST(who_owes_waits)
{
	add(1, 10, 1);
	add(2, 20, 1);
	sched_owe(&s, 10, now);
	EXPECT(2);
	ck_assert_int_eq(sched_wake(&s, now), now + SCHED_DEBT_MS);
	now += SCHED_DEBT_MS - 1;
	EXPECT(-1);
	now++;
	EXPECT(1);
	/* Two wrong ones cost twice as long; what is counted costs nothing. */
	add(3, 10, 1);
	sched_owe(&s, 10, now);
	sched_owe(&s, 10, now);
	sched_owe(&s, 10, now);
	sched_pay(&s, 10);
	ck_assert_int_eq(sched_wake(&s, now), now + 2 * SCHED_DEBT_MS);
	sched_pay(&s, 10);
	sched_pay(&s, 10);
	sched_pay(&s, 99);
	EXPECT(3);
}
END_TEST

START_TEST(no_more_than_there_is_room_for)
{
	const struct sched_request r = { .id = 7, .source = 7 };
	int i;

	for (i = 0; i < SCHED_MAX; i++)
		add(i, (uint64_t)i, 0);
	ck_assert_int_eq(sched_add(&s, &r, now), -1);
	sched_remove(&s, 0);
	ck_assert_int_eq(sched_add(&s, &r, now), 0);
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
 * A request that is the only one of its source is served after at most one
 * request of each source that waits at that time, whatever comes later.
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
		while (sched_next(&s, now) != 0) {
			served++;
			for (i = rand() % 3; i > 0 && s.count < 1000; i--)
				add(id++, (uint64_t)(rand() % 2000 + 2000), 1);
		}
		ck_assert_uint_le(served, others);
		while (s.count > 200)
			sched_next(&s, now);
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
	tcase_add_test(c, console_goes_first_but_not_always);
	tcase_add_test(c, rehash_comes_last);
	tcase_add_test(c, who_owes_waits);
	tcase_add_test(c, no_more_than_there_is_room_for);
	tcase_add_loop_test(c, nobody_waits_for_a_crowd, 0, 20);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
