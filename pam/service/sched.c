/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the next request to be hashed: see the rules in sched.h. */
#include "sched.h"

static struct sched_source *find(struct sched *s, uint64_t source,
				 enum sched_kind kind)
{
	size_t i;

	for (i = 0; i < s->nsources; i++)
		if (s->sources[i].source == source &&
		    s->sources[i].kind == kind)
			return &s->sources[i];
	return NULL;
}

/* Forgets sources that neither wait nor are held. */
static void forget_idle(struct sched *s)
{
	size_t i = 0;

	while (i < s->nsources)
		if (s->sources[i].waiting == 0 && !s->sources[i].held)
			s->sources[i] = s->sources[--s->nsources];
		else
			i++;
}

static struct sched_source *find_or_make(struct sched *s, uint64_t source,
					 enum sched_kind kind)
{
	struct sched_source *found = find(s, source, kind);

	if (found)
		return found;
	forget_idle(s);
	if (s->nsources == sizeof(s->sources) / sizeof(s->sources[0]))
		return NULL;
	found = &s->sources[s->nsources++];
	*found = (struct sched_source){ .source = source, .kind = kind };
	return found;
}

/* Returns the first request of this source, kind and account, or NULL. */
static struct sched_waiting *first_of(struct sched *s, uint64_t source,
				      enum sched_kind kind, uint64_t account)
{
	struct sched_waiting *first = NULL;
	size_t i;

	for (i = 0; i < s->count; i++) {
		struct sched_waiting *w = &s->waiting[i];

		if (w->source == source && w->account == account &&
		    w->kind == kind && (!first || w->arrival < first->arrival))
			first = w;
	}
	return first;
}

/* Takes out request i.  The account's next request gets a place in line. */
static int take_out(struct sched *s, size_t i, uint64_t place)
{
	const struct sched_waiting w = s->waiting[i];
	struct sched_waiting *next;

	s->waiting[i] = s->waiting[--s->count];
	find(s, w.source, w.kind)->waiting--;
	next = first_of(s, w.source, w.kind, w.account);
	if (next && next->place == 0)
		next->place = place;
	return w.id;
}

/*
 * Returns the source with the most requests; of several, the one that added one
 * last.
 */
static const struct sched_source *most_waiting(const struct sched *s,
					       enum sched_kind kind)
{
	const struct sched_source *most = NULL;
	size_t i;

	for (i = 0; i < s->nsources; i++) {
		const struct sched_source *of = &s->sources[i];

		if (of->kind == kind && of->waiting > 0 &&
		    (!most || of->waiting > most->waiting ||
		     (of->waiting == most->waiting &&
		      of->added > most->added)))
			most = of;
	}
	return most;
}

/*
 * Takes out the request that is lost by rules 5 and 6 of sched.h, and returns
 * its ID.  The queue must not be empty.
 */
static int lose_one(struct sched *s)
{
	const struct sched_source *of = most_waiting(s, SCHED_REHASH);
	size_t i, newest = s->count;

	if (!of)
		of = most_waiting(s, SCHED_LOGIN);
	if (!of)
		of = most_waiting(s, SCHED_CONSOLE);
	for (i = 0; i < s->count; i++)
		if (s->waiting[i].source == of->source &&
		    s->waiting[i].kind == of->kind && (newest == s->count ||
		    s->waiting[i].arrival > s->waiting[newest].arrival))
			newest = i;
	return take_out(s, newest, s->waiting[newest].place);
}

static enum sched_kind kind_of(const struct sched_request *req)
{
	if (req->rehash)
		return SCHED_REHASH;
	return req->console ? SCHED_CONSOLE : SCHED_LOGIN;
}

int sched_add(struct sched *s, const struct sched_request *req)
{
	struct sched_waiting w = {
		.id = req->id, .kind = kind_of(req), .source = req->source,
		.account = req->account, .arrival = ++s->serial
	};
	struct sched_source *source = find_or_make(s, w.source, w.kind);

	s->lost = req->id;
	if (!source)
		return -1;
	if (!first_of(s, w.source, w.kind, w.account))
		w.place = w.arrival;
	if (source->waiting++ == 0)
		source->place = w.arrival;
	source->added = w.arrival;
	s->waiting[s->count++] = w;
	s->lost = s->count > SCHED_MAX ? lose_one(s) : -1;
	return s->lost == req->id ? -1 : 0;
}

void sched_remove(struct sched *s, int id)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->waiting[i].id == id) {
			take_out(s, i, s->waiting[i].place);
			return;
		}
}

/* Returns the source of a kind whose turn it is, or NULL. */
static struct sched_source *first_source(struct sched *s, enum sched_kind kind)
{
	struct sched_source *first = NULL;
	size_t i;

	for (i = 0; i < s->nsources; i++) {
		struct sched_source *of = &s->sources[i];

		if (of->kind == kind && of->waiting > 0 && !of->held &&
		    (!first || of->place < first->place))
			first = of;
	}
	return first;
}

/* Serves the account whose turn it is within a source. */
static int serve(struct sched *s, struct sched_source *of)
{
	size_t i, first = s->count;

	for (i = 0; i < s->count; i++) {
		const struct sched_waiting *w = &s->waiting[i];

		if (w->place != 0 && w->source == of->source &&
		    w->kind == of->kind && (first == s->count ||
		    w->place < s->waiting[first].place))
			first = i;
	}
	of->place = ++s->serial;
	s->console_last = of->kind == SCHED_CONSOLE;
	return take_out(s, first, s->serial);
}

int sched_next(struct sched *s)
{
	struct sched_source *of = NULL;

	if (!s->console_last)
		of = first_source(s, SCHED_CONSOLE);
	if (!of)
		of = first_source(s, SCHED_LOGIN);
	if (!of)
		of = first_source(s, SCHED_CONSOLE);
	if (!of)
		of = first_source(s, SCHED_REHASH);
	return of ? serve(s, of) : -1;
}

void sched_hold(struct sched *s, uint64_t source, bool held)
{
	struct sched_source *of = held ? find_or_make(s, source, SCHED_LOGIN) :
		find(s, source, SCHED_LOGIN);

	if (of)
		of->held = held;
}
