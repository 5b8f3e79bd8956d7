/* SPDX-License-Identifier: BSD-2-Clause */
/* Other password hashes, each in fresh memory as at a login. */
#include <stdio.h>

#include "tests/bench/bench.h"
#include "tool/tool.h"

static const struct column peer_columns[] = {
	{ "hash", "", 0 }, { "mib", "", 1 }, { "median_ms", "", 2 },
	{ "moved_mib", "", 0 },
	{ 0 },
};

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

	for (i = 1; i <= 3; i += 2) {
		*n += bench_sodium(&works[*n], (uint32_t)i, 64 << 10);
		*n += bench_argon2(&works[*n], (uint32_t)i, 64 << 10);
	}
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		*n += bench_crypt(&works[*n], methods[i].name,
				  methods[i].prefix, methods[i].count,
				  methods[i].memory);
}

int compare_peers(const struct compared *with, struct table *t)
{
	struct bench_work works[16];
	size_t i, n = 0;
	int status;

	*t = (struct table){ .key = "peers", .columns = peer_columns };
	status = our_peers(works, &n);
	if (status == TOOL_YES) {
		other_peers(works, &n);
		status = bench_race(works, n, runs_of(with, 11), "peers");
	}
	for (i = 0; i < n && status == TOOL_YES; i++)
		table_add(t, (struct cell[]){
			cell_text(works[i].name),
			cell_number((double)works[i].memory / BENCH_MIB),
			cell_number(works[i].median / 1e3),
			cell_number(works[i].moved / BENCH_MIB) });
	bench_free(works, n);
	return status;
}
