/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of tests/bench/bench.c, and what they share. */
#ifndef LYRA2_TESTS_BENCH_H
#define LYRA2_TESTS_BENCH_H

#include "tool/bench-time.h"
#include "tool/table.h"

struct compared {
	uint32_t runs;		/* 0: as many as the table wants */
	char *const *libraries;	/* files, up to NULL */
};

/* Each fills a table; 0 or an exit status after a message. */
typedef int compare_fn(const struct compared *with, struct table *t);
compare_fn compare_peers;			/* peers.c */
compare_fn compare_ghost;			/* ghost.c */
compare_fn compare_phs;				/* phs.c */

uint32_t runs_of(const struct compared *with, uint32_t usual);

/* The library, or NULL after a message. */
void *open_library(const char *path);

/* Stores a function of the library (or NULL), if it is there. */
bool find_function(void *library, const char *name, void *function);

/* ghost.c: what a hash does with its memory, without computing it */
void bench_ghost(struct bench_work *work, const struct lyra2_params *params);

/* ---- others.c: Argon2id in one lane, if it is installed ---- */

bool bench_argon2(struct bench_work *work, uint32_t passes, uint32_t kib);
bool bench_sodium(struct bench_work *work, uint32_t passes, uint32_t kib);

#endif
