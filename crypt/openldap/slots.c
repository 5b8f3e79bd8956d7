/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed number of contexts, lent to slapd's threads one hash at a time. */
#include "slots.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A thread without a slot; slots_give() hands it one. */
struct waiter {
	pthread_cond_t turn;
	struct lyra2_ctx *ctx;
	struct waiter *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct waiter *first;	/* the one that has waited longest */
static struct waiter **end = &first;

/*
 * free_slots[0] to free_slots[free_count - 1] are free.  The one used last is
 * taken first, so a quiet server touches the memory of only one slot.
 */
static struct lyra2_ctx **free_slots;
static uint32_t free_count;

static uint32_t cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (uint32_t)n : 1;
}

int slots_make(uint32_t count)
{
	if (count == 0)
		count = cpus();
	free_count = 0;
	free_slots = calloc(count, sizeof(*free_slots));
	if (!free_slots)
		return -1;
	while (free_count < count) {
		free_slots[free_count] = lyra2_ctx_new();
		if (!free_slots[free_count]) {
			slots_free();
			errno = ENOMEM;
			return -1;
		}
		free_count++;
	}
	return 0;
}

/* A clock that nobody sets. */
static void init_turn(pthread_cond_t *turn)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(turn, &attr);
	pthread_condattr_destroy(&attr);
}

static void leave_queue(const struct waiter *me)
{
	struct waiter **at = &first;

	while (*at != me)
		at = &(*at)->next;
	*at = me->next;
	if (!*at)
		end = at;
}

/* With the mutex. */
static struct lyra2_ctx *wait_in_queue(unsigned int seconds)
{
	struct waiter me = { .ctx = NULL, .next = NULL };
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += seconds;
	init_turn(&me.turn);
	*end = &me;
	end = &me.next;
	while (!me.ctx &&
	       pthread_cond_timedwait(&me.turn, &mutex, &until) == 0)
		;
	if (!me.ctx)
		leave_queue(&me);
	pthread_cond_destroy(&me.turn);
	return me.ctx;
}

struct lyra2_ctx *slots_take(unsigned int seconds)
{
	struct lyra2_ctx *ctx;

	pthread_mutex_lock(&mutex);
	ctx = free_count > 0 ? free_slots[--free_count] :
		wait_in_queue(seconds);
	pthread_mutex_unlock(&mutex);
	return ctx;
}

void slots_give(struct lyra2_ctx *ctx)
{
	struct waiter *next;

	pthread_mutex_lock(&mutex);
	next = first;
	if (next) {
		leave_queue(next);
		next->ctx = ctx;
		pthread_cond_signal(&next->turn);
	} else {
		free_slots[free_count++] = ctx;
	}
	pthread_mutex_unlock(&mutex);
}

void slots_free(void)
{
	while (free_count > 0)
		lyra2_ctx_free(free_slots[--free_count]);
	free(free_slots);
	free_slots = NULL;
}
