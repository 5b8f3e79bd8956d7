/* SPDX-License-Identifier: BSD-2-Clause */
/* What `lyra2 bench` and `lyra2 calibrate` measure with. */
#ifndef LYRA2_BENCH_H
#define LYRA2_BENCH_H

#include "tool.h"

enum { BENCH_KEY = 64, BENCH_NAME = 40 };
#define BENCH_MIB (UINT64_C(1) << 20)

/*
 * 24 bytes together: more than 39 would make a second input block, where the
 * public builds of version 2.5 read past what they were given.
 */
#define BENCH_PASSWORD "password"
#define BENCH_SALT "saltsaltsaltsalt"

/* The competition's interface; t_cost is T, m_cost is R. */
typedef int bench_phs(void *out, size_t outlen, const void *in, size_t inlen,
		      const void *salt, size_t saltlen, unsigned int t_cost,
		      unsigned int m_cost);

/* One thing to time.  run() returns 0, or -1 with errno set. */
struct bench_work {
	char name[BENCH_NAME];
	int (*run)(struct bench_work *work);
	struct lyra2_params params;
	struct lyra2_ctx *ctx;		/* NULL: fresh memory for each hash */
	const char *kernel;		/* NULL: the chosen one */
	bench_phs *phs;
	char setting[LYRA2_MAX_STRING];	/* for crypt(3) and lyra2_crypt() */
	uint32_t kib;			/* for Argon2 */
	uint64_t memory;		/* bytes */
	uint8_t key[BENCH_KEY];		/* what the last run() computed */
	double *us;			/* of each run, sorted at the end */
	double median, stddev;
};

/* ---- bench-work.c: our own hash and PHS() ---- */

/*
 * A work for lyra2_kdf(), on a kernel (NULL: the chosen one), with its memory
 * kept or fresh.  0 or an exit status after a message.
 */
int bench_ours(struct bench_work *work, const char *name,
	       const struct lyra2_params *params, const char *kernel,
	       bool fresh);

/* The same for lyra2_crypt(): the whole call, in fresh memory. */
int bench_ours_crypt(struct bench_work *work, const char *name,
		     const struct lyra2_params *params);

/* A work for a library's PHS(). */
void bench_foreign(struct bench_work *work, const char *name, bench_phs *phs,
		   uint32_t t_cost, uint32_t rows);

/* Whether the last runs of both computed the same key. */
bool bench_same_key(const struct bench_work *a, const struct bench_work *b);

/* Frees the contexts and times of n works. */
void bench_free(struct bench_work *works, size_t n);

/* Whether the malloc() of others gives its memory back after each hash. */
void bench_malloc(bool fresh);

/* ---- bench-peers.c: other password hashes, where they are installed ---- */

/* PHS() of a library, or NULL after a message. */
bench_phs *bench_load_phs(const char *path);

/*
 * crypt(3) under a prefix and a cost number of crypt_gensalt(3), or Argon2id
 * in one pass: false where this machine has no such thing.
 */
bool bench_crypt(struct bench_work *work, const char *name,
		 const char *prefix, unsigned long count, uint64_t memory);
bool bench_argon2id(struct bench_work *work, const char *name, uint32_t kib);

/* ---- bench-time.c ---- */

/* Time of the processor instead of time on the clock. */
extern bool bench_cpu_time;

/* Microseconds since some moment. */
double bench_now(void);

/* Median of n times, which it sorts, and their standard deviation. */
double bench_median(double *us, size_t n);
double bench_stddev(const double *us, size_t n);

/*
 * Runs the works in turn, runs times each after one run that isn't counted:
 * what disturbs one disturbs all.  0 or an exit status after a message.
 */
int bench_race(struct bench_work *works, size_t n, uint32_t runs,
	       const char *label);

/* ---- bench-load.c: several processes at once ---- */

struct bench_load {
	struct bench_work *work;
	uint32_t processes, runs;
	bool small_pages;		/* no huge pages at all */
	double median, stddev;		/* microseconds for one hash */
	double per_second;		/* hashes of all the processes */
};

/*
 * Every process does runs hashes, and more until the last one has done its
 * own, so that all are measured under full load.  0 or an exit status.
 */
int bench_load_run(struct bench_load *load);

/* Processors that this process may use. */
uint32_t bench_cpus(void);

/* ---- bench-traffic.c: what a hash moves, counted from the definition ---- */

/* Bytes read from and written to the matrix. */
double bench_traffic(const struct lyra2_params *params);

/* The same where the chip that hashes keeps the rows visited last. */
double bench_traffic_cached(const struct lyra2_params *params);

/* ---- bench-table.c: results, and how they are printed ---- */

enum { TABLE_COLUMNS = 10, TABLE_ROWS = 64, TABLE_TEXT = 40 };

struct cell {
	enum { CELL_NONE, CELL_TEXT, CELL_COUNT, CELL_NUMBER, CELL_BOOL } type;
	char text[TABLE_TEXT];
	uint64_t count;
	double number;
};

struct column {
	const char *key;	/* in JSON and CSV */
	const char *title;	/* for people */
	int decimals;		/* of a number, for people */
};

struct table {
	const char *key, *title;
	const struct column *columns;	/* up to one without a key */
	size_t n;			/* rows */
	struct cell cells[TABLE_ROWS][TABLE_COLUMNS];
};

struct cell cell_text(const char *text);
struct cell cell_count(uint64_t count);
struct cell cell_number(double number);
struct cell cell_bool(bool value);

/* Adds a row with a cell for each column. */
void table_add(struct table *t, const struct cell *cells);

void table_print(const struct table *t);
void table_csv(const struct table *t);
/* "KEY":[{...}, ...] */
void table_json(const struct table *t);

/* ---- bench-options.c ---- */

enum { BENCH_PHS_MAX = 12 };

struct bench_options {
	struct lyra2_params params;	/* 0, or BENCH_ANY: not given */
	uint32_t runs, processes;	/* 0: not given */
	uint64_t max_memory;
	const char *phs[BENCH_PHS_MAX];
	size_t n_phs;
	bool fresh;
};

enum { BENCH_ANY = 99, BENCH_FUNCTIONS = 5 };

/*
 * The functions that the options leave: version and sponge, with the given
 * costs where the options have none.  Returns how many, or 0 after a message.
 */
size_t bench_functions(const struct bench_options *o, uint32_t t_cost,
		       uint32_t rows,
		       struct lyra2_params functions[BENCH_FUNCTIONS]);

/* "3 blamka" */
void bench_function_name(const struct lyra2_params *params,
			 char name[BENCH_NAME]);

/* Rows that have this much memory, but as many as there must be. */
uint32_t bench_rows(const struct lyra2_params *params, uint64_t memory);

/*
 * A work for the first of the functions, in one pass if there is no --t-cost,
 * with this much memory unless it is 0.  0 or an exit status.
 */
int bench_one(const struct bench_options *o, struct bench_work *work,
	      const char *name, uint64_t memory, bool fresh);

/* --runs, or this many. */
uint32_t bench_runs(const struct bench_options *o, uint32_t runs);

/* ---- the measurements: each fills a table ---- */

typedef int bench_suite(const struct bench_options *o, struct table *t);
bench_suite bench_suite_kernels, bench_suite_memory, bench_suite_processes,
	    bench_suite_pages, bench_suite_peers;

/* Fills two tables: the paper's, and the spread of the same runs. */
int bench_suite_paper(const struct bench_options *o, struct table *paper,
		      struct table *spread);

/* ---- bench-plot.c ---- */

/* Whether gnuplot can be run and the file written; false after a message. */
bool bench_can_plot(const char *path);

/* Draws a table of the spread (or NULL) and one of memory (or NULL). */
int bench_plot(const char *path, const struct table *spread,
	       const struct table *memory);

/* ---- progress.c: on standard error, if that is a terminal ---- */

/* Begins work of total steps; shown once it has taken a second. */
void progress_begin(const char *label, uint64_t total);
void progress_step(void);
/* Takes the line away again. */
void progress_end(void);

#endif
