/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench: beside other password hashes. */
#include <stdio.h>

#include "bench-time.h"
#include "bench.h"
#include "tool.h"

static const struct column peer_columns[] = {
	{ "hash", "hash", 0 }, { "library", "library", 0 },
	{ "built_for", "for", 0 }, { "mib", "MiB", 1 },
	{ "median_ms", "median ms", 2 }, { "stddev_ms", "stddev", 2 },
	{ "ms_per_mib", "ms/MiB", 3 }, { "moved_mib", "MiB moved", 0 },
	{ "moved_mib_per_ms", "moved/ms", 2 }, { "ratio", "time/first", 2 },
	{ 0 },
};

static void add_peer(struct table *t, const struct bench_work *w,
		     const struct bench_work *first)
{
	const struct cell none = { .type = CELL_NONE };
	const double mib = (double)w->memory / BENCH_MIB;
	const double moved = w->moved / BENCH_MIB, ms = w->median / 1e3;

	table_add(t, (struct cell[]){
		cell_text(w->name), cell_text(w->library),
		*w->built_for ? cell_text(w->built_for) : none,
		cell_number(mib), cell_number(ms),
		cell_number(w->stddev / 1e3),
		w->memory ? cell_number(ms / mib) : none,
		w->moved > 0 ? cell_number(moved) : none,
		w->moved > 0 ? cell_number(moved / ms) : none,
		cell_number(w->median / first->median) });
}

/* Ours: 64 MiB in one pass, for comparison, and the default. */
static int our_peers(struct bench_work *works, size_t *n)
{
	static const uint32_t sponges[] = { LYRA2_BLAKE2B, LYRA2_BLAMKA };
	struct lyra2_params p;
	char name[BENCH_NAME];
	size_t i;
	int status = TOOL_YES;

	lyra2_params_init(&p);
	p.t_cost = 1;
	p.rows = bench_rows(&p, 64 * BENCH_MIB);
	for (i = 0; i < 2 && status == TOOL_YES; i++) {
		p.sponge = sponges[i];
		snprintf(name, sizeof(name), "Lyra2 3 %s t=1",
			 lyra2_sponge_name(p.sponge));
		status = bench_ours(&works[(*n)++], name, &p, NULL, true);
	}
	lyra2_params_init(&p);
	if (status == TOOL_YES)
		status = bench_ours_crypt(&works[(*n)++], "$lyra2$ default",
					  &p);
	return status;
}

/* Fixed counts instead of crypt_gensalt(3)'s defaults: the memory is known. */
static void other_peers(struct bench_work *works, size_t *n)
{
	static const struct {
		const char *name, *prefix;
		unsigned long count;
		uint64_t memory;
	} methods[] = {
		{ "$y$ 64 MiB", "$y$", 7, 64 * BENCH_MIB },
		{ "$y$ default", "$y$", 5, 16 * BENCH_MIB },
		{ "$7$ 64 MiB", "$7$", 7, 64 * BENCH_MIB },
		{ "$6$ 5000 rounds", "$6$", 5000, 0 },
		{ "$2b$ cost 10", "$2b$", 10, 4096 },
	};
	size_t i;

	*n += bench_sodium(&works[*n], "Argon2id t=1 p=1 sodium", 64 << 10);
	*n += bench_argon2(&works[*n], "Argon2id t=1 p=1 argon2", 64 << 10);
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		*n += bench_crypt(&works[*n], methods[i].name,
				  methods[i].prefix, methods[i].count,
				  methods[i].memory);
}

int bench_suite_peers(const struct bench_options *o, struct table *t)
{
	struct bench_work works[16];
	size_t i, n = 0;
	int status;

	*t = (struct table){ .key = "peers", .columns = peer_columns,
			     .title = "Other password hashes, each in fresh "
				      "memory" };
	bench_malloc(true);
	status = our_peers(works, &n);
	if (status == TOOL_YES) {
		other_peers(works, &n);
		status = bench_race(works, n, bench_runs(o, 11), "peers");
	}
	for (i = 0; i < n && status == TOOL_YES; i++)
		add_peer(t, &works[i], &works[0]);
	bench_free(works, n);
	return status;
}

/* ---- the same at many sizes ---- */

enum { SIZE_COLUMNS = 5 };

static const struct column size_columns[] = {
	{ "mib", "MiB", 0 }, { "lyra2_t1_ms", "Lyra2, t=1", 2 },
	{ "lyra2_t2_ms", "Lyra2, t=2", 2 },
	{ "yescrypt_ms", "$y$ (yescrypt)", 2 },
	{ "argon2id_ms", "Argon2id, t=1", 2 },
	{ 0 },
};

/* Stores the hashes there are and their columns; returns how many, or -1. */
static int size_works(struct bench_work *works, size_t *column,
		      unsigned int log2_mib)
{
	const uint64_t memory = BENCH_MIB << log2_mib;
	struct lyra2_params p;
	int n = 0;

	lyra2_params_init(&p);
	p.rows = bench_rows(&p, memory);
	for (p.t_cost = 1; p.t_cost <= 2; p.t_cost++) {
		column[n] = p.t_cost;
		if (bench_ours(&works[n++], "Lyra2", &p, NULL, true) !=
		    TOOL_YES)
			return -1;
	}
	column[n] = 3;
	n += bench_crypt(&works[n], "$y$", "$y$", log2_mib + 1, memory);
	column[n] = 4;
	/* The faster library, where there are both. */
	n += bench_sodium(&works[n], "Argon2id", (uint32_t)(memory >> 10)) ||
	     bench_argon2(&works[n], "Argon2id", (uint32_t)(memory >> 10));
	return n;
}

static int one_size(const struct bench_options *o, unsigned int log2_mib,
		    struct table *t)
{
	struct bench_work works[SIZE_COLUMNS] = { 0 };
	struct cell row[SIZE_COLUMNS] = { cell_number(1 << log2_mib) };
	size_t column[SIZE_COLUMNS], i;
	char label[32];
	const int n = size_works(works, column, log2_mib);
	int status = n < 0 ? TOOL_SYSTEM : TOOL_YES;

	snprintf(label, sizeof(label), "%d MiB", 1 << log2_mib);
	if (status == TOOL_YES)
		status = bench_race(works, (size_t)n, bench_runs(o, 5), label);
	for (i = 0; status == TOOL_YES && i < (size_t)n; i++)
		row[column[i]] = cell_number(works[i].median / 1e3);
	if (status == TOOL_YES)
		table_add(t, row);
	bench_free(works, SIZE_COLUMNS);
	return status;
}

int bench_suite_sizes(const struct bench_options *o, struct table *t)
{
	unsigned int log2_mib;
	int status = TOOL_YES;

	*t = (struct table){ .key = "sizes", .columns = size_columns,
			     .title = "Milliseconds for each size, in fresh "
				      "memory" };
	bench_malloc(true);
	for (log2_mib = 0; status == TOOL_YES && log2_mib <= 10 &&
			   BENCH_MIB << log2_mib <= bench_largest(o);
	     log2_mib++)
		status = one_size(o, log2_mib, t);
	return status;
}
