/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an attacker pays who holds only a part of a hash's memory.
 *
 *	keep STRETCHES SHARE UNIT LIMIT KEPT STATES <GRAPH
 *
 * GRAPH, by graphs.py, says what each step reads and writes, and how a block
 * comes back that is absent.  STRETCHES parts of a block are repeated at once.
 * SHARE says which ways are cheap: 0, those that take little time; 1, little
 * work.  UNIT is the area of what repeats a step, as a part of the memory: what
 * the attacker expects.  LIMIT is how many steps are repeated for one block.
 *
 * If KEPT is 0, no step waits: an absent block leaves as much of its beginning
 * in memory as hides the time for the rest, and the attacker drops what saves
 * memory; with LIMIT below 0, nothing.  Else KEPT is the part of the memory
 * that there is, or, below 0, of the blocks that exist so far; steps wait.
 *
 * A stretch begins with a state that was kept.  If STATES is not 0, those in
 * use take at most this part of the memory, but each step keeps one.
 *
 * Prints time, work, the greatest memory and memory x time, in steps and
 * blocks; then steps, blocks, memory x time of one who keeps all, and that of
 * the columns which repeats make, each as long as the plan needs it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/keep.h"

enum { TRIES = 16, TURNS = 4 };

double stretches, share, unit, limit, kept, states;
int now;

static int *order;
static struct {
	double work, all, brief;
} paid;

/* All at once; returns how long the last takes, less what its head hides. */
static double get_back(const int *list, int n)
{
	double t, most = 0, longest = 0, brief = 0;
	int i, works = 0;

	plan_start();
	for (i = 0; i < n; i++) {
		if (node[list[i]].held)
			continue;
		t = plan_add(list[i]);
		if (t >= NEVER) {	/* all steps so far, again */
			t = 0;
			for (works = 0; works < now; works++)
				t += 1 / step[works].states;
			brief = t * rows;
		}
		longest = t > longest ? t : longest;
		t -= node[list[i]].head;
		most = t > most ? t : most;
	}
	paid.work += plan_works > works ? plan_works : works;
	paid.brief += brief + plan_brief(longest);
	for (i = 0; i < n; i++) {
		if (!node[list[i]].held)
			price_hold(list[i]);
		node[list[i]].head = 0;
	}
	return most;
}

static int by_price(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;
	const double d = label[ORDERS * x].price - label[ORDERS * y].price;

	return d != 0 ? (d > 0) - (d < 0) : x - y;
}

/* Lists what could be dropped, the cheapest first. */
static int candidates(void)
{
	int at, i, n = 0;

	for (i = 0; i < live_count; i++) {
		at = live_blocks[i];
		if (node[at].held && node[at].born < now - busy &&
		    (label[ORDERS * at].price < NEVER || plan_never_read(at)))
			order[n++] = at;
	}
	qsort(order, (size_t)n, sizeof(*order), by_price);
	return n;
}

static void drop_what_saves(void)
{
	double best = plan_total(NULL), t;
	const int n = candidates();
	int i;

	for (i = 0; i < n; i++) {
		price_release(order[i]);
		t = plan_total(NULL);
		(void)plan_cost(order[i]);
		if (t < best - SLIGHT && plan_works <= limit)
			best = t;
		else
			price_undo(order[i]);
	}
}

/* A quarter of the absent blocks in turn: whether memory falls with them */
static void get_back_what_saves(void)
{
	double best = plan_total(NULL), t;
	int i, n, works;

	for (i = 0; i < live_count; i++) {
		n = live_blocks[i];
		if (node[n].held || (n + now) % TURNS != 0)
			continue;
		(void)plan_cost(n);
		works = plan_works;
		price_hold(n);
		t = plan_total(NULL);
		if (t + 2 * unit * works < best - SLIGHT) {
			best = t;
			paid.work += works;
			node[n].head = 0;
		} else {
			price_release(n);
		}
	}
}

static void get_back_what_costs(void)
{
	int i, n = 0;

	for (i = 0; i < live_count; i++)
		if (!node[live_blocks[i]].held &&
		    plan_cost(live_blocks[i]) >= 1 + 2 * unit * plan_works)
			order[n++] = live_blocks[i];
	(void)get_back(order, n);
}

static double waiting(void)
{
	double sum = 0, p;
	int i;

	for (i = 0; i < live_count; i++)
		if (!node[live_blocks[i]].held) {
			p = label[ORDERS * live_blocks[i]].price;
			sum += p < now ? p : now;
		}
	return sum;
}

/* Until the rest has room, drops what makes waiting last the least. */
static void drop_for_room(void)
{
	const double most = kept > 0 ? kept * rows : -kept * live_count;
	double memory, best, t;
	int i, n, which;

	for (;;) {
		(void)plan_total(&memory);
		if (memory <= most + SLIGHT)
			return;
		best = NEVER;
		which = -1;
		n = candidates();
		for (i = 0; i < n && i < TRIES; i++) {
			price_release(order[i]);
			t = waiting();
			price_undo(order[i]);
			if (t < best) {
				best = t;
				which = order[i];
			}
		}
		if (which < 0)
			return;
		price_release(which);
		node[which].bare = true;
	}
}

/* Drops every second state of visits: of those that have most, the last. */
static void drop_states(void)
{
	double sum, most;
	int i;

	for (;;) {
		(void)plan_total(NULL);
		sum = most = 0;
		for (i = 0; i < now; i++) {
			if (!plan_uses(i))
				continue;
			sum += step[i].states * state;
			most = step[i].states > most ? step[i].states : most;
		}
		if (sum <= states * rows || most < 2)
			return;
		for (i = now - 1; i >= 0 && sum > states * rows; i--) {
			if (!plan_uses(i) || step[i].states < most)
				continue;
			step[i].states /= 2;
			sum -= step[i].states * state;
		}
		price_again();
	}
}

static void write_blocks(const struct step *s)
{
	int i, j;

	for (i = 0; i < s->writes; i++) {
		node[s->new[i]].live = true;
		live_blocks[live_count++] = s->new[i];
		price_hold(s->new[i]);
	}
	for (i = 0; i < s->writes; i++) {
		if (s->old[i] < 0)
			continue;
		node[s->old[i]].live = false;
		if (node[s->old[i]].held)
			price_release(s->old[i]);
		for (j = 0; live_blocks[j] != s->old[i]; j++)
			;
		live_blocks[j] = live_blocks[--live_count];
	}
}

/* States that are used now were held since their last use: before next, too. */
static void hold_states(int next)
{
	int i, t;

	for (i = 0; i < now; i++) {
		if (!plan_uses(i))
			continue;
		for (t = step[i].used; t < now; t++)
			step[t].memory += step[i].states * state;
		step[i].used = next;
	}
}

static void take(struct step *s)
{
	double wait;

	(void)get_back(s->read, s->known);
	wait = get_back(s->read + s->known, s->reads - s->known);
	hold_states(now);
	(void)plan_total(&s->memory);
	hold_states(now + 1);
	s->time = 1 + wait;
	paid.all += live_count;
	now++;
	price_step();
	write_blocks(s);
	if (now == steps)
		return;
	if (limit >= 0 && plan_secret()) {
		get_back_what_costs();
		get_back_what_saves();
	}
	if (limit >= 0)
		drop_what_saves();
	if (states > 0)
		drop_states();
	if (kept != 0)
		drop_for_room();
	if (states > 0)
		drop_states();
}

static void report(void)
{
	double time = 0, peak = 0, held = 0;
	int i;

	for (i = 0; i < steps; i++) {
		time += step[i].time;
		held += step[i].time * step[i].memory;
		peak = step[i].memory > peak ? step[i].memory : peak;
	}
	printf("%.9g %.9g %.9g %.9g %d %d %.9g %.9g\n", time, paid.work, peak,
	       held, steps, rows, paid.all, paid.brief);
}

int main(int argc, char **argv)
{
	if (argc != 7)
		errx(2, "usage: keep STRETCHES SHARE UNIT LIMIT KEPT STATES "
			"<GRAPH");
	stretches = atof(argv[1]);
	share = atof(argv[2]);
	unit = atof(argv[3]);
	limit = atof(argv[4]);
	kept = atof(argv[5]);
	states = atof(argv[6]);
	graph_read();
	price_start();
	plan_init();
	order = many(nodes, sizeof(*order));
	while (now < steps)
		take(&step[now]);
	report();
	return 0;
}
