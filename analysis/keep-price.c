/* SPDX-License-Identifier: BSD-2-Clause */
/* The cheapest way to each block, kept up to date as blocks come and go. */
#include "analysis/keep.h"

struct saved {
	int label, way;
	double price;
};

static int *queue, first, last, *affected, count;
static struct saved *saved;

void price_start(void)
{
	const int labels = ORDERS * nodes;
	int i;

	queue = many(labels, sizeof(*queue));
	affected = many(labels, sizeof(*affected));
	saved = many(labels, sizeof(*saved));
	for (i = 0; i < labels; i++) {
		label[i].price = NEVER;
		label[i].way = -1;
	}
}

double price_of(int l)
{
	return node[l / ORDERS].held ? 0 : label[l].price;
}

/* The time of the step alone, if its needs come in as many stretches */
static double own(const struct way *w)
{
	return w->natural ? column : 1 / step[w->step].states;
}

/* With share 0, the time of the slowest need; with 1, the work of all. */
static double value(const struct way *w)
{
	double most = 0, sum = 0, p;
	int i;

	for (i = 0; i < w->needs; i++) {
		p = price_of(w->need[i]);
		if (p >= NEVER)
			return NEVER;
		sum += p;
		most = p > most ? p : most;
	}
	return own(w) + most + share * (sum - most);
}

static void enqueue(int l)
{
	if (!label[l].queued) {
		label[l].queued = true;
		queue[last] = l;
		last = (last + 1) % (ORDERS * nodes + 1);
	}
}

static void try_way(int i)
{
	const struct way *w = &way[i];
	struct label *l = &label[w->label];
	double v;

	if (w->step >= now)
		return;
	v = value(w);
	if (v < l->price - SLIGHT) {
		l->price = v;
		l->way = i;
		if (!node[w->label / ORDERS].held)
			enqueue(w->label);
	}
}

static void settle(void)
{
	int i;

	while (first != last) {
		struct label *l = &label[queue[first]];

		first = (first + 1) % (ORDERS * nodes + 1);
		l->queued = false;
		for (i = 0; i < l->uses; i++)
			try_way(l->use[i]);
	}
}

void price_hold(int n)
{
	int o;

	node[n].held = true;
	node[n].bare = false;
	for (o = 0; o < ORDERS; o++)
		enqueue(ORDERS * n + o);
	settle();
}

void price_step(void)
{
	const struct step *s = &step[now - 1];
	int i;

	for (i = 0; i < s->ways; i++)
		try_way(s->way[i]);
	settle();
}

void price_again(void)
{
	int i;

	for (i = 0; i < ORDERS * nodes; i++) {
		label[i].price = NEVER;
		label[i].way = -1;
	}
	for (i = 0; i < ways; i++)
		try_way(i);
	settle();
}

static void affect(int l)
{
	if (!label[l].listed) {
		label[l].listed = true;
		affected[count++] = l;
	}
}

/* Lists the labels whose chosen ways go through this block. */
static void find_affected(int n)
{
	int i, j;

	count = 0;
	for (i = 0; i < ORDERS; i++)
		affect(ORDERS * n + i);
	for (i = 0; i < count; i++) {
		const struct label *l = &label[affected[i]];

		if (i >= ORDERS && node[affected[i] / ORDERS].held)
			continue;
		for (j = 0; j < l->uses; j++) {
			const int to = way[l->use[j]].label;

			if (label[to].way == l->use[j])
				affect(to);
		}
	}
}

void price_release(int n)
{
	int i, j;

	find_affected(n);
	node[n].held = false;
	for (i = 0; i < count; i++) {
		struct label *l = &label[affected[i]];

		saved[i] = (struct saved){ affected[i], l->way, l->price };
		l->price = NEVER;
		l->way = -1;
		l->listed = false;
	}
	for (i = 0; i < count; i++)
		for (j = 0; j < label[affected[i]].ways; j++)
			try_way(label[affected[i]].of[j]);
	settle();
}

void price_undo(int n)
{
	int i;

	node[n].held = true;
	for (i = 0; i < count; i++) {
		label[saved[i].label].price = saved[i].price;
		label[saved[i].label].way = saved[i].way;
	}
}
