/* SPDX-License-Identifier: BSD-2-Clause */
/* What is measured: one hash of ours, or of another method. */
#ifndef LYRA2_TOOL_BENCH_WORK_H
#define LYRA2_TOOL_BENCH_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lyra2.h"

enum { BENCH_KEY = 64, BENCH_NAME = 40 };
#define BENCH_MIB (UINT64_C(1) << 20)

/*
 * 24 bytes together: more than 39 would make a second input block, where the
 * public builds of version 2.5 read past what they were given.
 */
#define BENCH_PASSWORD "password"
#define BENCH_SALT "saltsaltsaltsalt"

/* One thing to time.  run() returns 0, or -1 with errno set. */
struct bench_work {
	char name[BENCH_NAME];
	int (*run)(struct bench_work *work);
	struct lyra2_params params;
	struct lyra2_ctx *ctx;		/* NULL: fresh memory for each hash */
	const char *kernel;		/* NULL: the chosen one */
	const void *more;		/* what another run() needs */
	char setting[LYRA2_MAX_STRING];	/* for crypt(3) and lyra2_crypt() */
	uint64_t memory;		/* bytes */
	double moved;			/* bytes read and written there */
	uint8_t key[BENCH_KEY];		/* what the last run() computed */
	double *us;			/* of each run, sorted at the end */
	double median, stddev;
};

/* ---- bench-work.c: our own hash ---- */

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

/* Rows that take this much memory, or the least that there can be. */
uint32_t bench_rows(const struct lyra2_params *params, uint64_t memory);

/* Frees the contexts and times of n works. */
void bench_free(struct bench_work *works, size_t n);

/*
 * bench-crypt.c: a work of crypt(3) under a prefix and a cost number of
 * crypt_gensalt(3).  Returns false if this machine has no such thing.
 */
bool bench_crypt(struct bench_work *work, const char *name,
		 const char *prefix, unsigned long count, uint64_t memory);

/* ---- bench-traffic.c: what a hash moves, counted from the definition ---- */

/* Bytes read from and written to the matrix. */
double bench_traffic(const struct lyra2_params *params);

/* The same on a chip that keeps the rows visited last. */
double bench_traffic_cached(const struct lyra2_params *params);

#endif
