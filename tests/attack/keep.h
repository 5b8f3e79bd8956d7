/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash as steps that read and write blocks, and prices of absent blocks. */
#ifndef KEEP_H
#define KEEP_H

#include <stdbool.h>
#include <stddef.h>

enum { NEEDS = 6, ORDERS = 3 };

#define NEVER 1e15
#define SLIGHT 1e-9

/* A way to get a block back: repeat a step, with the blocks that it needs. */
struct way {
	int label, step, needs, need[NEEDS];
	double own;			/* the time of the step alone */
};

/* A block, as it is between two writes */
struct node {
	bool held, live, bare;		/* bare: absent, without a head */
	int born, reads, *read;		/* the steps that read it, in order */
	double head;			/* the part of it that is still held */
};

struct step {
	int known;			/* of the reads: known in advance */
	int reads, read[NEEDS], writes, old[NEEDS], new[NEEDS];
	double extra;			/* what a repeat needs, in blocks */
	int ways, *way;			/* what it makes possible */
};

/* A block in an order of its columns, and its price while it is absent */
struct label {
	double price, time;
	int way, mark;			/* the way chosen, or -1 */
	int ways, *of, uses, *use;	/* ways to it; ways that need it */
	bool queued, listed;
};

extern int rows, nodes, steps, ways, busy, first_secret;
extern double column, state;
extern struct way *way;
extern struct node *node;
extern struct step *step;
extern struct label *label;

/* What the attacker chose, and the steps that are done */
extern double stretches, share, unit, limit, kept;
extern int now;

void *many(int n, size_t size);
void graph_read(void);

void price_start(void);
void price_hold(int n);
void price_release(int n);
void price_undo(int n);		/* takes back the last price_release() */
void price_step(void);		/* the ways of step now - 1 exist */
double price_of(int l);

void plan_init(void);
void plan_start(void);		/* forgets the steps of earlier plans */
double plan_add(int n);		/* the time to get this block back, or NEVER */
extern int plan_works;		/* the steps of the plan, each once */
bool plan_secret(void);		/* a secret chooses what step now reads */
bool plan_never_read(int n);
double plan_cost(int n);	/* a step pays for its absence, in blocks */
double plan_total(double *memory);

/* The blocks that may be needed, held or not */
extern int *live_blocks, live_count;

#endif
