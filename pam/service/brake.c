/* SPDX-License-Identifier: BSD-2-Clause */
/* When an answer may leave: see the rules in brake.h. */
#include "brake.h"

#include <string.h>

static const int64_t penalty_ms[BRAKE_TOP + 1] = {
	BRAKE_SHORTEST_MS, BRAKE_SHORTEST_MS, BRAKE_SHORTEST_MS, 8000, 16000,
	32000, BRAKE_LONGEST_MS
};

static uint64_t level_at(const struct brake_level *l, int64_t time)
{
	const uint64_t falls = time > l->until ?
		(uint64_t)(time - l->until) / BRAKE_QUIET_MS : 0;

	return falls < l->level ? l->level - falls : 0;
}

/* The level after an answer that counts has left. */
static struct brake_level charge(const struct brake_level *l, int64_t left)
{
	const uint64_t level = level_at(l, left);

	return (struct brake_level){
		.until = left + penalty_ms[level],
		.level = level < BRAKE_TOP ? level + 1 : level
	};
}

/* The level after the last answer. */
static struct brake_level current(const struct brake_key *k)
{
	struct brake_level l = k->base;
	uint64_t i;

	for (i = 0; i < k->count; i++)
		l = charge(&l, k->recent[i].left);
	return l;
}

/*
 * Moves answers into the base, the oldest first, until the next one can still
 * be admitted and at most BRAKE_RECENT are left.
 */
static void settle(struct brake_key *k)
{
	uint64_t done = 0;

	while (done < k->count && (k->recent[done].number == 0 ||
				   k->count - done > BRAKE_RECENT))
		k->base = charge(&k->base, k->recent[done++].left);
	k->count -= done;
	memmove(k->recent, k->recent + done,
		(size_t)k->count * sizeof(k->recent[0]));
}

int64_t brake_until(const struct brake_key *k)
{
	return current(k).until;
}

void brake_leave(struct brake_key *k, uint64_t number, int64_t now)
{
	k->recent[k->count++] = (struct brake_answer){ now, number };
	settle(k);
}

void brake_admit(struct brake_key *k, uint64_t number)
{
	uint64_t i, kept = 0;

	for (i = 0; i < k->count; i++)
		if (number == 0 || k->recent[i].number != number)
			k->recent[kept++] = k->recent[i];
	k->count = kept;
	settle(k);
}

int64_t brake_wait(const struct brake_key *k, unsigned before, int64_t now)
{
	struct brake_level l = current(k);
	int64_t leaves = l.until > now ? l.until : now;

	while (before-- > 0) {
		l = charge(&l, leaves);
		leaves = l.until;
	}
	return leaves - now;
}

bool brake_failed(const struct brake_key *k, int64_t now)
{
	uint64_t i;

	for (i = 0; i < k->count; i++)
		if (k->recent[i].number == 0)
			return true;
	return k->base.until > now || level_at(&k->base, now) > 0;
}

void brake_raise(struct brake_key *k, int64_t now)
{
	memset(k, 0, sizeof(*k));
	k->base = (struct brake_level){ now, BRAKE_TOP };
}

bool brake_check(struct brake_key *k, int64_t now)
{
	uint64_t i;

	if (k->base.level > BRAKE_TOP || k->base.until < 0 ||
	    k->count > BRAKE_RECENT)
		return false;
	if (k->base.until > now + BRAKE_LONGEST_MS)
		k->base.until = now + BRAKE_LONGEST_MS;
	for (i = 0; i < k->count; i++) {
		if (k->recent[i].left < 0)
			return false;
		if (k->recent[i].left > now)
			k->recent[i].left = now;
	}
	return true;
}
