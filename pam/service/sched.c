/* SPDX-License-Identifier: BSD-2-Clause */
/* Who gets the next hash: see the rules in sched.h. */
#include "sched.h"

/* A rehash waits in another line than its source. */
#define REHASH (UINT64_C(1) << 63)

static struct sched_source *find(struct sched *s, uint64_t source)
{
	size_t i;

	for (i = 0; i < s->nsources; i++)
		if (s->sources[i].source == source)
			return &s->sources[i];
	return NULL;
}

/* A source that neither waits nor owes need not be kept. */
static void forget_idle(struct sched *s, int64_t now)
{
	size_t i = 0;

	while (i < s->nsources)
		if (s->sources[i].waiting == 0 && s->sources[i].barred <= now)
			s->sources[i] = s->sources[--s->nsources];
		else
			i++;
}

static struct sched_source *find_or_make(struct sched *s, uint64_t source,
					 int64_t now)
{
	struct sched_source *found = find(s, source);

	if (found)
		return found;
	forget_idle(s, now);
	if (s->nsources == sizeof(s->sources) / sizeof(s->sources[0]))
		return NULL;
	found = &s->sources[s->nsources++];
	*found = (struct sched_source){ .source = source };
	return found;
}

/* The request of an account that arrived first, or NULL. */
static struct sched_waiting *first_of(struct sched *s,
				      const struct sched_request *req)
{
	struct sched_waiting *first = NULL;
	size_t i;

	for (i = 0; i < s->count; i++) {
		struct sched_waiting *w = &s->waiting[i];

		if (w->req.source == req->source &&
		    w->req.account == req->account &&
		    (!first || w->arrival < first->arrival))
			first = w;
	}
	return first;
}

int sched_add(struct sched *s, const struct sched_request *req, int64_t now)
{
	struct sched_source *source;
	struct sched_waiting w = { .req = *req };

	if (req->rehash)
		w.req.source ^= REHASH;
	if (s->count == SCHED_MAX ||
	    !(source = find_or_make(s, w.req.source, now)))
		return -1;
	w.arrival = ++s->serial;
	if (!first_of(s, &w.req))
		w.place = w.arrival;
	if (source->waiting++ == 0)
		source->place = w.arrival;
	s->waiting[s->count++] = w;
	return 0;
}

/* The next request of the account comes to a place in line. */
static void take_out(struct sched *s, size_t i, uint64_t place)
{
	const struct sched_request req = s->waiting[i].req;
	struct sched_waiting *next;

	s->waiting[i] = s->waiting[--s->count];
	find(s, req.source)->waiting--;
	next = first_of(s, &req);
	if (next && next->place == 0)
		next->place = place;
}

void sched_remove(struct sched *s, int id)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->waiting[i].req.id == id) {
			take_out(s, i, s->waiting[i].place);
			return;
		}
}

struct choice {
	bool rehash;
	int64_t now;
	int best;
	uint64_t source, account;	/* places in the two lines */
};

/* Looks whether the request comes before the best one so far. */
static void consider(struct sched *s, int i, struct choice *c)
{
	const struct sched_waiting *w = &s->waiting[i];
	const struct sched_source *source = find(s, w->req.source);

	if (w->place == 0 || w->req.rehash != c->rehash ||
	    source->barred > c->now)
		return;
	if (c->best >= 0 && (source->place > c->source ||
	    (source->place == c->source && w->place > c->account)))
		return;
	c->best = i;
	c->source = source->place;
	c->account = w->place;
}

static int first_in_line(struct sched *s, int64_t now, bool rehash)
{
	struct choice c = { .rehash = rehash, .now = now, .best = -1 };
	size_t i;

	for (i = 0; i < s->count; i++)
		consider(s, (int)i, &c);
	return c.best;
}

static int first_console(const struct sched *s)
{
	int best = -1;
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->waiting[i].req.console && !s->waiting[i].req.rehash &&
		    (best < 0 ||
		     s->waiting[i].arrival < s->waiting[best].arrival))
			best = (int)i;
	return best;
}

static int choose(struct sched *s, int64_t now)
{
	int i = s->console_last ? -1 : first_console(s);

	s->console_last = i >= 0;
	if (i < 0)
		i = first_in_line(s, now, false);
	if (i < 0)
		i = first_console(s);
	if (i < 0)
		i = first_in_line(s, now, true);
	return i;
}

int sched_next(struct sched *s, int64_t now)
{
	int i = choose(s, now), id;

	if (i < 0)
		return -1;
	id = s->waiting[i].req.id;
	find(s, s->waiting[i].req.source)->place = ++s->serial;
	take_out(s, (size_t)i, s->serial);
	return id;
}

void sched_owe(struct sched *s, uint64_t source, int64_t now)
{
	struct sched_source *of = find_or_make(s, source, now);

	if (of)
		of->barred = (of->barred > now ? of->barred : now) +
			SCHED_DEBT_MS;
}

void sched_pay(struct sched *s, uint64_t source)
{
	struct sched_source *of = find(s, source);

	if (of)
		of->barred -= SCHED_DEBT_MS;
}

int64_t sched_wake(const struct sched *s, int64_t now)
{
	int64_t first = -1;
	size_t i;

	for (i = 0; i < s->nsources; i++)
		if (s->sources[i].waiting > 0 && s->sources[i].barred > now &&
		    (first < 0 || s->sources[i].barred < first))
			first = s->sources[i].barred;
	return first;
}
