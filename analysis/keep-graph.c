/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what graphs.py has written, and indexes it. */
#include "analysis/keep.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX = 1 << 24, ROW = 24576 };

int rows, nodes, steps, ways, busy, first_secret;
double column, state;
struct way *way;
struct node *node;
struct step *step;
struct label *label;

void *many(int n, size_t size)
{
	void *p = calloc((size_t)n + 1, size);

	if (!p)
		err(1, "memory");
	return p;
}

static int number(int least, int most)
{
	int n;

	if (scanf("%d", &n) != 1 || n < least || n > most)
		errx(2, "this is no graph");
	return n;
}

static void read_step(struct step *s, int at)
{
	int i;

	s->known = number(0, NEEDS);
	s->reads = number(s->known, NEEDS);
	for (i = 0; i < s->reads; i++) {
		s->read[i] = number(0, nodes - 1);
		node[s->read[i]].reads++;
	}
	s->writes = number(0, NEEDS);
	for (i = 0; i < s->writes; i++) {
		s->old[i] = number(-1, nodes - 1);
		s->new[i] = number(0, nodes - 1);
		node[s->new[i]].born = at;
	}
}

/* Makes three ways of one: for each order in which columns may be wanted. */
static void read_way(struct way *w)
{
	const int block = number(0, nodes - 1);
	const int natural = number(0, ORDERS - 1);
	int i, o;

	w->step = number(0, steps - 1);
	w->needs = number(0, NEEDS);
	for (i = 0; i < w->needs; i++) {
		w->need[i] = number(0, ORDERS * nodes - 1);
		label[w->need[i]].uses += ORDERS;
	}
	step[w->step].ways += ORDERS;
	for (o = ORDERS - 1; o >= 0; o--) {
		w[o] = *w;
		w[o].label = ORDERS * block + o;
		w[o].natural = o == natural;
		label[w[o].label].ways++;
	}
}

/* An empty list with room for *n, which is set to 0 */
static int *list(int *n)
{
	int *p = many(*n, sizeof(*p));

	*n = 0;
	return p;
}

static void index_all(void)
{
	int i, j;

	for (i = 0; i < ORDERS * nodes; i++) {
		label[i].of = list(&label[i].ways);
		label[i].use = list(&label[i].uses);
	}
	for (i = 0; i < nodes; i++)
		node[i].read = list(&node[i].reads);
	for (i = 0; i < steps; i++) {
		step[i].way = list(&step[i].ways);
		for (j = 0; j < step[i].reads; j++) {
			struct node *p = &node[step[i].read[j]];

			p->read[p->reads++] = i;
		}
	}
	for (i = 0; i < ways; i++) {
		struct label *to = &label[way[i].label];
		struct step *s = &step[way[i].step];

		to->of[to->ways++] = i;
		s->way[s->ways++] = i;
		for (j = 0; j < way[i].needs; j++) {
			struct label *l = &label[way[i].need[j]];

			l->use[l->uses++] = i;
		}
	}
}

void graph_read(void)
{
	int i;

	rows = number(1, MAX);
	nodes = number(1, MAX);
	steps = number(1, MAX);
	ways = ORDERS * number(1, MAX);
	busy = number(0, MAX);
	column = 1.0 / number(1, MAX);
	state = (double)number(0, ROW) / ROW;
	way = many(ways, sizeof(*way));
	node = many(nodes, sizeof(*node));
	step = many(steps, sizeof(*step));
	label = many(ORDERS * nodes, sizeof(*label));
	for (i = 0; i < steps; i++) {
		read_step(&step[i], i);
		step[i].states = stretches;
		step[i].used = i + 1;
		first_secret += first_secret == i &&
				step[i].known == step[i].reads;
	}
	for (i = 0; i < ways; i += ORDERS)
		read_way(&way[i]);
	index_all();
}
