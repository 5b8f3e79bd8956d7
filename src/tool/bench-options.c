/* SPDX-License-Identifier: BSD-2-Clause */
/* What lyra2 bench measures, as its options say. */
#include "bench.h"

#include <stdio.h>
#include <unistd.h>

#include "tool.h"

size_t bench_functions(const struct bench_options *o, uint32_t t_cost,
		       uint32_t rows,
		       struct lyra2_params functions[BENCH_FUNCTIONS])
{
	static const struct {
		uint32_t version, sponge;
	} all[BENCH_FUNCTIONS] = {
		{ 30, LYRA2_BLAMKA }, { 30, LYRA2_BLAKE2B },
		{ 30, LYRA2_HALF_BLAMKA }, { 25, LYRA2_BLAKE2B },
		{ 25, LYRA2_HALF_BLAMKA },
	};
	const struct lyra2_params *p = &o->params;
	struct lyra2_params *f;
	size_t i, n = 0;

	for (i = 0; i < BENCH_FUNCTIONS; i++) {
		if ((p->version && p->version != all[i].version) ||
		    (p->sponge != FUNCTION_ANY_SPONGE &&
		     p->sponge != all[i].sponge) ||
		    (p->lanes > 1 && all[i].version == 25))
			continue;
		f = &functions[n++];
		lyra2_params_init(f);
		f->version = all[i].version;
		f->sponge = all[i].sponge;
		f->t_cost = p->t_cost ? p->t_cost : t_cost;
		f->rows = p->rows ? p->rows : rows;
		f->cols = p->cols;
		f->lanes = p->lanes;
	}
	if (n == 0)
		tool_error(TOOL_INPUT, "version 2.5 has no blamka and no "
			   "lanes");
	return n;
}

uint32_t bench_rows(const struct lyra2_params *p, uint64_t memory)
{
	const uint64_t rows = memory / (p->cols * UINT64_C(8) *
					p->block_words);

	return rows < 3 * p->lanes ? 3 * p->lanes : (uint32_t)rows;
}

int bench_one(const struct bench_options *o, struct bench_work *w,
	      const char *name, uint64_t memory, bool fresh)
{
	struct lyra2_params f[BENCH_FUNCTIONS];

	*w = (struct bench_work){ 0 };	/* for bench_free() */
	if (bench_functions(o, 1, 3, f) == 0)
		return TOOL_INPUT;
	if (memory)
		f[0].rows = bench_rows(&f[0], memory);
	return bench_ours(w, name, &f[0], NULL, fresh);
}

/* What is kept of every size needs twice the largest. */
uint64_t bench_largest(const struct bench_options *o)
{
	const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			     (uint64_t)sysconf(_SC_PAGESIZE);

	return o->max_memory ? o->max_memory :
	       all / 4 < LYRA2_MAX_MEMORY ? all / 4 : LYRA2_MAX_MEMORY;
}

uint32_t bench_runs(const struct bench_options *o, uint32_t runs)
{
	return o->runs ? o->runs : runs;
}
