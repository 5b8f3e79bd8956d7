/* SPDX-License-Identifier: BSD-2-Clause */
/* Which steps the attacker repeats for a block, and what its absence costs. */
#include "analysis/keep.h"

int plan_works, *live_blocks, live_count;
static int mark, *seen, *used, round_now, *made, makes;

void plan_init(void)
{
	used = many(steps, sizeof(*used));
	seen = many(steps, sizeof(*seen));
	live_blocks = many(nodes, sizeof(*live_blocks));
	made = many(ORDERS * nodes, sizeof(*made));
}

void plan_start(void)
{
	mark++;
	plan_works = makes = 0;
}

/* The stretches that run at once: a need may come in fewer. */
static double way_flow(const struct way *w)
{
	double least = step[w->step].states;
	int i;

	for (i = 0; i < w->needs; i++) {
		const struct label *l = &label[w->need[i]];

		if (!node[w->need[i] / ORDERS].held && l->flow < least)
			least = l->flow;
	}
	return least;
}

static double way_time(const struct way *w)
{
	return w->natural ? column : 1 / way_flow(w);
}

static double walk(int at)
{
	struct label *l = &label[at];
	const struct way *w;
	double most = 0, t;
	int i;

	if (node[at / ORDERS].held)
		return 0;
	if (l->mark == mark)
		return l->time;
	w = &way[l->way];
	for (i = 0; i < w->needs; i++) {
		t = walk(w->need[i]);
		most = t > most ? t : most;
	}
	if (seen[w->step] != mark)
		plan_works++;
	seen[w->step] = mark;
	used[w->step] = round_now;
	l->mark = mark;
	l->flow = w->natural ? way_flow(w) : NEVER;
	l->time = most + way_time(w);
	l->due = NEVER;
	l->done = 0;
	made[makes++] = at;
	return l->time;
}

double plan_add(int n)
{
	return price_of(ORDERS * n) >= NEVER ? NEVER : walk(ORDERS * n);
}

/*
 * Each repeat starts as late as those that need it allow, and the plan is ready
 * at end.  A column that is used in the order in which it comes exists for as
 * long as its use lags behind; others wait for their turn, half of the time for
 * all on average, or, if a secret chooses among them, to the end.
 */
double plan_brief(double end)
{
	double sum = 0, start, run, done;
	int i, j;

	for (i = makes - 1; i >= 0; i--) {
		struct label *l = &label[made[i]];
		const struct way *w = &way[l->way];

		if (l->due >= NEVER)	/* a step reads it: memory counts it */
			l->due = end;
		else
			sum += l->done - l->due +
			       way_time(w) / (w->natural ? 1 : 2);
		start = l->due - way_time(w);
		run = 1 / way_flow(w);
		for (j = 0; j < w->needs; j++) {
			struct label *n = &label[w->need[j]];

			if (node[w->need[j] / ORDERS].held)
				continue;
			done = start;
			if (w->need[j] % ORDERS == ANY)
				done += run;
			else if (!way[n->way].natural)
				done += run / 2;
			n->due = start < n->due ? start : n->due;
			n->done = done > n->done ? done : n->done;
		}
	}
	return sum;
}

/* ---- what blocks cost ---- */

bool plan_secret(void)
{
	return now >= steps || step[now].known < step[now].reads;
}

/* The step that reads it next, or steps */
static int next_read(int n)
{
	int i;

	for (i = 0; i < node[n].reads; i++)
		if (node[n].read[i] >= now)
			return node[n].read[i];
	return steps;
}

bool plan_never_read(int n)
{
	return !plan_secret() && first_secret >= steps && next_read(n) >= steps;
}

/* What this absent block costs a step, in blocks */
double plan_cost(int n)
{
	double t, work;
	int next;

	plan_start();
	if (plan_never_read(n))
		return 0;
	t = plan_add(n);
	work = unit * rows * plan_works;
	if (t >= NEVER)
		return node[n].bare ? 0 : 2;
	if (!plan_secret()) {
		next = next_read(n);
		next = next < first_secret ? next : first_secret;
		return work / (next - now + 1);
	}
	if (node[n].bare)
		return 0;
	if (t < node[n].head)
		t = node[n].head;
	if (t > 1)
		t = 1 + 2 * (t - 1) / rows;
	return t + 2 * work / rows;
}

/* What memory there is; *memory: without what work will cost */
double plan_total(double *memory)
{
	double sum = 0, held = 0, c;
	int i;

	round_now++;
	for (i = 0; i < live_count; i++) {
		struct node *p = &node[live_blocks[i]];

		c = p->held ? 1 : plan_cost(live_blocks[i]);
		sum += c < 1 ? c : 1;
		held += p->held;
		if (memory && !p->held && plan_secret() && !p->bare) {
			c = label[ORDERS * live_blocks[i]].time;
			c = c < 1 ? c : 1;
			p->head = p->head > c ? p->head : c;
			held += p->head;
		}
	}
	for (i = 0; i < now; i++)
		if (used[i] == round_now) {
			sum += step[i].states * state;
			held += step[i].states * state;
		}
	if (memory)
		*memory = held;
	return sum;
}

bool plan_uses(int s)
{
	return used[s] == round_now;
}
