/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed number of contexts, lent to slapd's threads one hash at a time. */
#include "slots.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_is_free = PTHREAD_COND_INITIALIZER;

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

struct lyra2_ctx *slots_take(void)
{
	struct lyra2_ctx *ctx;

	pthread_mutex_lock(&mutex);
	while (free_count == 0)
		pthread_cond_wait(&one_is_free, &mutex);
	ctx = free_slots[--free_count];
	pthread_mutex_unlock(&mutex);
	return ctx;
}

void slots_give(struct lyra2_ctx *ctx)
{
	pthread_mutex_lock(&mutex);
	free_slots[free_count++] = ctx;
	pthread_cond_signal(&one_is_free);
	pthread_mutex_unlock(&mutex);
}

void slots_free(void)
{
	while (free_count > 0)
		lyra2_ctx_free(free_slots[--free_count]);
	free(free_slots);
	free_slots = NULL;
}
