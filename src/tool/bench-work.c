/* SPDX-License-Identifier: BSD-2-Clause */
/* Works for our own functions, and for a library's PHS() on the same input. */
#include "bench-work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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
		       lyra2_ctx_kernel(w->ctx, w->kernel) == 0))
		result = run_kept(w);
	lyra2_ctx_free(w->ctx);
	w->ctx = NULL;
	return result;
}

static int run_crypt(struct bench_work *w)
{
	char out[LYRA2_MAX_STRING];

	return lyra2_crypt(w->ctx, w->setting, BENCH_PASSWORD,
			   sizeof(BENCH_PASSWORD) - 1, out, sizeof(out));
}

static int run_phs(struct bench_work *w)
{
	if (w->phs(w->key, sizeof(w->key), BENCH_PASSWORD,
		   sizeof(BENCH_PASSWORD) - 1, BENCH_SALT,
		   sizeof(BENCH_SALT) - 1, w->params.t_cost,
		   w->params.rows) == 0)
		return 0;
	errno = EINVAL;
	return -1;
}

static void describe(struct bench_work *w, const char *kernel)
{
	const uint32_t v = lyra2_library_version();

	snprintf(w->library, sizeof(w->library), "liblyra2 %u.%u.%u", v >> 16,
		 v >> 8 & 255, v & 255);
	if (!kernel)
		kernel = lyra2_kernel_for(&w->params, NULL);
	snprintf(w->built_for, sizeof(w->built_for), "%s",
		 kernel ? kernel : "");
	w->memory = lyra2_memory(&w->params);
	w->moved = w->memory ? bench_traffic(&w->params) : 0;
}

int bench_ours(struct bench_work *w, const char *name,
	       const struct lyra2_params *params, const char *kernel,
	       bool fresh)
{
	char why[160];

	*w = (struct bench_work){ .run = fresh ? run_fresh : run_kept,
				  .params = *params, .kernel = kernel };
	snprintf(w->name, sizeof(w->name), "%s", name);
	describe(w, kernel);
	if (lyra2_check(params, why, sizeof(why)) < 0)
		return tool_error(TOOL_INPUT, "%s", why);
	if (fresh)
		return TOOL_YES;
	w->ctx = lyra2_ctx_new();
	if (!w->ctx || (kernel && lyra2_ctx_kernel(w->ctx, kernel) < 0))
		return tool_errno(name);
	return TOOL_YES;
}

int bench_ours_crypt(struct bench_work *w, const char *name,
		     const struct lyra2_params *params)
{
	*w = (struct bench_work){ .run = run_crypt, .params = *params };
	snprintf(w->name, sizeof(w->name), "%s", name);
	describe(w, NULL);
	if (lyra2_gensalt(params, BENCH_SALT, sizeof(BENCH_SALT) - 1,
			  w->setting, sizeof(w->setting)) < 0)
		return tool_errno(name);
	return TOOL_YES;
}

void bench_foreign(struct bench_work *w, const char *name, bench_phs *phs,
		   uint32_t t_cost, uint32_t rows)
{
	*w = (struct bench_work){ .run = run_phs, .phs = phs };
	w->params.t_cost = t_cost;
	w->params.rows = rows;
	snprintf(w->name, sizeof(w->name), "%s", name);
}

bool bench_same_key(const struct bench_work *a, const struct bench_work *b)
{
	return memcmp(a->key, b->key, sizeof(a->key)) == 0;
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

/* Kept: malloc() takes all from the heap and never shrinks it. */
void bench_malloc(bool fresh)
{
#ifdef __GLIBC__
	if (fresh) {
		mallopt(M_MMAP_THRESHOLD, 1 << 16);
	} else {
		mallopt(M_MMAP_MAX, 0);
		mallopt(M_TRIM_THRESHOLD, 1 << 30);
	}
#else
	(void)fresh;
#endif
}
