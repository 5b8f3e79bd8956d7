/* SPDX-License-Identifier: BSD-2-Clause */
/* When an answer may leave: see the rules in brake.h. */
#include "brake.h"

#include <string.h>

#define LEAP_MAX (INT64_C(1) << 48)	/* keeps sums of times in range */

static const int64_t penalty_ms[BRAKE_TOP + 1] = {
	2000, 2000, 2000, 8000, 16000, 32000, BRAKE_LONGEST_MS
};

/* ---- levels ---- */

void brake_tick(struct brake *b, int64_t now)
{
	if (now < 0)
		now = 0;
	if (now > b->clock)
		b->time += now - b->clock < LEAP_MAX ? now - b->clock :
			LEAP_MAX;
	b->clock = now;
}

static uint32_t level_at(const struct brake_level *l, int64_t time)
{
	const int64_t falls = time > l->until ?
		(time - l->until) / BRAKE_QUIET_MS : 0;

	return falls < l->level ? l->level - (uint32_t)falls : 0;
}

bool brake_is_over(const struct brake *b, const struct brake_level *l)
{
	return l->until <= b->time && level_at(l, b->time) == 0;
}

struct brake_level brake_higher(struct brake_level l, struct brake_level m)
{
	if (m.until > l.until)
		l.until = m.until;
	if (m.level > l.level)
		l.level = m.level;
	return l;
}

/* The level after an answer that is not free has left. */
static struct brake_level charge(const struct brake_level *l, int64_t left)
{
	const uint32_t level = level_at(l, left);

	return (struct brake_level){
		.until = left + penalty_ms[level],
		.level = level < BRAKE_TOP ? level + 1 : level
	};
}

/* ---- keys ---- */

/*
 * Moves answers into the base, the oldest first, until the next one can still
 * be free and at most BRAKE_RECENT are left.  Then computes `at` from the base
 * and the others.
 */
static void settle(struct brake_key *k)
{
	unsigned i, done = 0;

	while (done < k->nrecent &&
	       (!k->recent[done].open || k->nrecent - done > BRAKE_RECENT))
		k->base = charge(&k->base, k->recent[done++].left);
	k->nrecent -= done;
	memmove(k->recent, k->recent + done,
		k->nrecent * sizeof(k->recent[0]));
	k->at = k->base;
	for (i = 0; i < k->nrecent; i++)
		k->at = charge(&k->at, k->recent[i].left);
}

void brake_set(struct brake_key *k, struct brake_level l)
{
	k->nrecent = 0;
	k->base = k->at = l;
}

static const struct brake_key *find(const struct brake *b, uint64_t caller,
				    bool own)
{
	const struct brake_key *k;

	for (k = b->keys; k < b->keys + b->nkeys; k++)
		if (k->caller == caller && k->own == own)
			return k;
	return NULL;
}

/* Returns true if key k is to be dropped before another. */
static bool goes_before(const struct brake *b, const struct brake_key *k,
			const struct brake_key *other)
{
	const uint32_t level = level_at(&k->at, b->time);
	const uint32_t others = level_at(&other->at, b->time);

	return level < others ||
		(level == others && k->at.until < other->at.until);
}

/* Returns a place for a new key, or NULL: see rule 9. */
static struct brake_key *find_place(struct brake *b)
{
	struct brake_key *k, *place = NULL;

	if (b->nkeys < BRAKE_KEYS)
		return &b->keys[b->nkeys++];
	for (k = b->keys; k < b->keys + b->nkeys; k++)
		if (k->waiting == 0 && k->at.until <= b->time &&
		    (!place || goes_before(b, k, place)))
			place = k;
	return place;
}

struct brake_key *brake_key(struct brake *b, uint64_t caller, bool own)
{
	const struct brake_key *found = find(b, caller, own);
	struct brake_key *k;

	if (found)
		return &b->keys[found - b->keys];
	k = find_place(b);
	if (k)
		*k = (struct brake_key){
			.caller = caller, .own = own,
			.base = b->floor, .at = b->floor
		};
	return k;
}

/* ---- answers ---- */

int brake_add(struct brake *b, int id, uint64_t caller, bool own, int64_t now)
{
	struct brake_key *k;

	brake_tick(b, now);
	if (b->nwaiting == BRAKE_WAITING || !(k = brake_key(b, caller, own)))
		return -1;
	k->waiting++;
	b->waiting[b->nwaiting++] = (struct brake_waiting){
		.id = id, .key = (unsigned)(k - b->keys)
	};
	return 0;
}

static void take_out(struct brake *b, size_t i)
{
	b->keys[b->waiting[i].key].waiting--;
	b->nwaiting--;
	memmove(b->waiting + i, b->waiting + i + 1,
		(b->nwaiting - i) * sizeof(b->waiting[0]));
}

int brake_next(struct brake *b, int64_t now)
{
	struct brake_key *k;
	size_t i;
	int id;

	brake_tick(b, now);
	for (i = 0; i < b->nwaiting; i++) {
		k = &b->keys[b->waiting[i].key];
		if (k->at.until > b->time)
			continue;
		id = b->waiting[i].id;
		take_out(b, i);
		k->recent[k->nrecent++] = (struct brake_answer){
			.left = b->time, .id = id, .open = true
		};
		settle(k);
		b->changed = true;
		return id;
	}
	return -1;
}

int64_t brake_wake(struct brake *b, int64_t now)
{
	int64_t first = -1, ms;
	size_t i;

	brake_tick(b, now);
	for (i = 0; i < b->nwaiting; i++) {
		ms = b->keys[b->waiting[i].key].at.until - b->time;
		if (ms < 0)
			ms = 0;
		if (first < 0 || ms < first)
			first = ms;
	}
	return first;
}

int64_t brake_wait(struct brake *b, int id, int64_t now)
{
	struct brake_level l;
	size_t i, me = 0;
	int64_t leaves;

	brake_tick(b, now);
	while (me < b->nwaiting && b->waiting[me].id != id)
		me++;
	if (me == b->nwaiting)
		return -1;
	l = b->keys[b->waiting[me].key].at;
	leaves = l.until > b->time ? l.until : b->time;
	for (i = 0; i < me; i++)
		if (b->waiting[i].key == b->waiting[me].key) {
			l = charge(&l, leaves);
			leaves = l.until;
		}
	return leaves - b->time;
}

bool brake_failed(struct brake *b, int id, int64_t now)
{
	const struct brake_key *k;
	size_t i = 0;
	unsigned j;

	brake_tick(b, now);
	while (i < b->nwaiting && b->waiting[i].id != id)
		i++;
	if (i == b->nwaiting)
		return false;
	k = &b->keys[b->waiting[i].key];
	for (j = 0; j < k->nrecent; j++)
		if (!k->recent[j].open)
			return true;
	return !brake_is_over(b, &k->base);
}

/* Forgets the open answers of a connection; returns whether there were any. */
static bool forget_open(struct brake_key *k, int id)
{
	unsigned i, kept = 0;
	const unsigned had = k->nrecent;

	for (i = 0; i < had; i++)
		if (!k->recent[i].open || k->recent[i].id != id)
			k->recent[kept++] = k->recent[i];
	k->nrecent = kept;
	return kept < had;
}

void brake_free(struct brake *b, int id, int64_t now)
{
	struct brake_key *k;

	brake_tick(b, now);
	for (k = b->keys; k < b->keys + b->nkeys; k++)
		if (forget_open(k, id)) {
			settle(k);
			b->changed = true;
		}
}

void brake_end(struct brake *b, int id)
{
	struct brake_key *k;
	size_t i = 0;
	unsigned j;

	while (i < b->nwaiting)
		if (b->waiting[i].id == id)
			take_out(b, i);
		else
			i++;
	for (k = b->keys; k < b->keys + b->nkeys; k++) {
		for (j = 0; j < k->nrecent; j++)
			if (k->recent[j].id == id)
				k->recent[j].open = false;
		settle(k);
	}
}
