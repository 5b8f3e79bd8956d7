/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of slapd's module: first come, first served, not for ever. */
#include "crypt/openldap/slots.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "check-main.h"

#define WAITERS 6
#define LONG 100	/* seconds; what is wrong waits as long */

static atomic_int served;
static int place[WAITERS];

static void nap(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void *wait_for_slot(void *arg)
{
	struct lyra2_ctx *ctx = slots_take(LONG);

	*(int *)arg = ctx ? served++ : -1;
	nap(1);
	slots_give(ctx);
	return NULL;
}

START_TEST(first_come_first_served)
{
	pthread_t thread[WAITERS];
	struct lyra2_ctx *ctx;
	int i;

	ck_assert_int_eq(slots_make(1), 0);
	ck_assert_ptr_nonnull(ctx = slots_take(0));
	for (i = 0; i < WAITERS; i++) {
		pthread_create(&thread[i], NULL, wait_for_slot, &place[i]);
		nap(50);
	}
	slots_give(ctx);
	for (i = 0; i < WAITERS; i++) {
		pthread_join(thread[i], NULL);
		ck_assert_int_eq(place[i], i);
	}
	slots_free();
}
END_TEST

START_TEST(bounded)
{
	struct lyra2_ctx *ctx, *other;
	pthread_t thread;

	ck_assert_int_eq(slots_make(2), 0);
	ck_assert_ptr_nonnull(ctx = slots_take(0));
	ck_assert_ptr_nonnull(other = slots_take(0));
	ck_assert_ptr_ne(ctx, other);
	pthread_create(&thread, NULL, wait_for_slot, &place[0]);
	nap(50);
	/* Between one that waits and one that comes later. */
	ck_assert_ptr_null(slots_take(1));
	slots_give(other);
	pthread_join(thread, NULL);
	ck_assert_int_ge(place[0], 0);
	ck_assert_ptr_eq(slots_take(0), other);
	ck_assert_ptr_null(slots_take(0));
	slots_give(other);
	slots_give(ctx);
	slots_free();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("slots");
	TCase *queue = tcase_create("queue");

	tcase_add_test(queue, first_come_first_served);
	tcase_add_test(queue, bounded);
	suite_add_tcase(suite, queue);
	return check_main(suite);
}
