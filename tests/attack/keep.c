/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an attacker pays who holds only a part of a hash's memory.
 *
 *	keep STRETCHES SHARE UNIT LIMIT KEPT <GRAPH
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
 * Prints time, work, the greatest memory and memory x time, in steps and
 * blocks; then steps, blocks, memory x time of one who keeps all, and that of
 * the blocks which repeats make, if each exists as long as its repeat takes.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/attack/keep.h"

enum { TRIES = 16, TURNS = 4 };

double stretches, share, unit, limit, kept;
int now;

static int *order;
static struct {
	double time, work, peak, held, all, brief;
} paid;

/* All at once; returns how long the last takes, less what its head hides. */
static double get_back(const int *list, int n)
{
	double t, most = 0, longest = 0;
	int i;

	plan_start();
	for (i = 0; i < n; i++) {
		if (node[list[i]].held)
			continue;
		t = plan_add(list[i]);
		if (t >= NEVER) {	/* all steps so far, again */
			t = now / stretches;
			plan_works = now;
		}
		longest = t > longest ? t : longest;
		t -= node[list[i]].head;
		most = t > most ? t : most;
	}
	paid.work += plan_works;
	paid.brief += longest * plan_works;
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
	const double room = kept > 0 ? kept * rows : -kept * live_count;
	double memory, best, t;
	int i, n, which;

	for (;;) {
		(void)plan_total(&memory);
		if (memory <= room + SLIGHT)
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

static void take(const struct step *s)
{
	double memory, wait;

	(void)get_back(s->read, s->known);
	wait = get_back(s->read + s->known, s->reads - s->known);
	(void)plan_total(&memory);
	paid.peak = memory > paid.peak ? memory : paid.peak;
	paid.time += 1 + wait;
	paid.held += (1 + wait) * memory;
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
	if (kept != 0)
		drop_for_room();
}

int main(int argc, char **argv)
{
	if (argc != 6)
		errx(2, "usage: keep STRETCHES SHARE UNIT LIMIT KEPT <GRAPH");
	stretches = atof(argv[1]);
	share = atof(argv[2]);
	unit = atof(argv[3]);
	limit = atof(argv[4]);
	kept = atof(argv[5]);
	graph_read();
	price_start();
	plan_init();
	order = many(nodes, sizeof(*order));
	while (now < steps)
		take(&step[now]);
	printf("%.9g %.9g %.9g %.9g %d %d %.9g %.9g\n", paid.time, paid.work,
	       paid.peak, paid.held, steps, rows, paid.all, paid.brief);
	return 0;
}
