/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash as steps that read and write blocks, and prices of absent blocks. */
#ifndef KEEP_H
#define KEEP_H

#include <stdbool.h>
#include <stddef.h>

enum { NEEDS = 6, ORDERS = 3, ANY = 2 };

#define NEVER 1e15
#define SLIGHT 1e-9

/* A way to get a block back: repeat a step, with the blocks that it needs. */
struct way {
	int label, step, needs, need[NEEDS];
	bool natural;			/* in the order that is wanted */
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
	double states;			/* kept: the stretches of a repeat */
	int ways, *way;			/* what it makes possible */
	double time, memory;		/* what it took, and was held then */
	int used;			/* its states were, before this step */
};

/* A block in an order of its columns, and its price while it is absent */
struct label {
	double price, time;
	double flow;			/* its stretches that come at once */
	double due, done;		/* when it is needed first, and last */
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
extern double stretches, share, unit, limit, kept, states;
extern int now;

void *many(int n, size_t size);
void graph_read(void);

void price_start(void);
void price_hold(int n);
void price_release(int n);
void price_undo(int n);		/* takes back the last price_release() */
void price_step(void);		/* the ways of step now - 1 exist */
void price_again(void);		/* after states were dropped */
double price_of(int l);

void plan_init(void);
void plan_start(void);		/* forgets the steps of earlier plans */
double plan_add(int n);		/* the time to get this block back, or NEVER */
double plan_brief(double end);	/* memory x time of what only the plan needs */
extern int plan_works;		/* the steps of the plan, each once */
bool plan_secret(void);		/* a secret chooses what step now reads */
bool plan_never_read(int n);
double plan_cost(int n);	/* a step pays for its absence, in blocks */
double plan_total(double *memory);

bool plan_uses(int s);		/* plan_total() used the states of step s */

/* The blocks that may be needed, held or not */
extern int *live_blocks, live_count;

#endif
