/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 bench: beside other password hashes. */
#include "bench.h"

static const struct column peer_columns[] = {
	{ "hash", "hash", 0 }, { "mib", "MiB", 1 },
	{ "median_ms", "median ms", 2 }, { "stddev_ms", "stddev", 2 },
	{ "ms_per_mib", "ms/MiB", 3 }, { "ratio", "time/first", 2 },
	{ 0 },
};

static void add_peer(struct table *t, const struct bench_work *w,
		     const struct bench_work *first)
{
	const double mib = (double)w->memory / BENCH_MIB;

	table_add(t, (struct cell[]){
		cell_text(w->name), cell_number(mib),
		cell_number(w->median / 1e3), cell_number(w->stddev / 1e3),
		w->memory ? cell_number(w->median / 1e3 / mib) :
			    (struct cell){ .type = CELL_NONE },
		cell_number(w->median / first->median) });
}

/* 64 MiB in one pass, what the others are compared with, and the default. */
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
			 tool_sponge(p.sponge));
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

	*n += bench_argon2id(&works[*n], "Argon2id t=1 p=1", 64 << 10);
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
