/* SPDX-License-Identifier: BSD-2-Clause */
/* Works for our own functions. */
#include "bench-work.h"

#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

static int run_kept(struct bench_work *w)
{
	return lyra2_kdf(w->ctx, &w->params, BENCH_PASSWORD,
			 sizeof(BENCH_PASSWORD) - 1, BENCH_SALT,
			 sizeof(BENCH_SALT) - 1, w->key, sizeof(w->key));
}

/* A kernel is chosen through a context; freeing it unmaps the memory. */
static int run_fresh(struct bench_work *w)
{
	int result = -1;

	w->ctx = lyra2_ctx_new();
	if (w->ctx && (!w->kernel ||
		       lyra2_ctx_set_kernel(w->ctx, w->kernel) == 0))
		result = run_kept(w);
	lyra2_ctx_free(w->ctx);
	w->ctx = NULL;
	return result;
}

static int run_crypt(struct bench_work *w)
{
	char out[LYRA2_MAX_STRING];

	return lyra2_crypt(tool_ctx(), w->setting, BENCH_PASSWORD,
			   sizeof(BENCH_PASSWORD) - 1, out, sizeof(out));
}

int bench_ours(struct bench_work *w, const char *name,
	       const struct lyra2_params *params, const char *kernel,
	       bool fresh)
{
	char why[160];

	*w = (struct bench_work){ .run = fresh ? run_fresh : run_kept,
				  .params = *params, .kernel = kernel };
	if (!kernel)
		w->kernel = tool_kernel_asked();
	snprintf(w->name, sizeof(w->name), "%s", name);
	lyra2_params_fill(&w->params);
	/* It takes almost no time, and lyra2_kdf() refuses it. */
	w->params.outer = LYRA2_NO_OUTER;
	w->memory = lyra2_memory(&w->params);
	w->moved = w->memory ? bench_traffic(&w->params) : 0;
	if (lyra2_check(&w->params, why, sizeof(why)) < 0)
		return tool_error(TOOL_INPUT, "%s", why);
	if (fresh)
		return TOOL_YES;
	w->ctx = lyra2_ctx_new();
	if (!w->ctx || (w->kernel &&
			lyra2_ctx_set_kernel(w->ctx, w->kernel) < 0))
		return tool_errno(name);
	return TOOL_YES;
}

int bench_ours_crypt(struct bench_work *w, const char *name,
		     const struct lyra2_params *params)
{
	*w = (struct bench_work){ .run = run_crypt, .params = *params };
	snprintf(w->name, sizeof(w->name), "%s", name);
	lyra2_params_fill(&w->params);
	w->memory = lyra2_memory(params);
	w->moved = bench_traffic(&w->params);
	if (lyra2_gensalt(params, BENCH_SALT, sizeof(BENCH_SALT) - 1,
			  w->setting, sizeof(w->setting)) < 0)
		return tool_errno(name);
	return TOOL_YES;
}

uint32_t bench_rows(const struct lyra2_params *p, uint64_t memory)
{
	const uint64_t rows = memory / (p->cols * UINT64_C(8) *
					p->block_words);

	return rows < 3 * p->lanes ? 3 * p->lanes : (uint32_t)rows;
}

void bench_free(struct bench_work *works, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		lyra2_ctx_free(works[i].ctx);
		free(works[i].us);
		works[i].ctx = NULL;
		works[i].us = NULL;
	}
}
