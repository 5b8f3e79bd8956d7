/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Libraries with PHS(), the interface of the Password Hashing Competition, in
 * the costs of "Lyra2: Efficient Password Hashing..." and of the papers that
 * timed it since: R=T=16, 32 and 64, C=256 and a key of 64 bytes.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tool/function.h"
#include "tool/tool.h"

/* t_cost is T, m_cost is R. */
typedef int phs_fn(void *out, size_t outlen, const void *in, size_t inlen,
		   const void *salt, size_t saltlen, unsigned int t_cost,
		   unsigned int m_cost);

static phs_fn *phs;

static const struct column columns[] = {
	{ "library", "", 0 }, { "function", "", 0 }, { "rows", "", 0 },
	{ "ours_us", "", 1 }, { "peer_us", "", 1 }, { "ratio", "", 3 },
	{ "same_output", "", 0 },
	{ 0 },
};

static int run_phs(struct bench_work *w)
{
	if (phs(w->key, sizeof(w->key), BENCH_PASSWORD,
		sizeof(BENCH_PASSWORD) - 1, BENCH_SALT,
		sizeof(BENCH_SALT) - 1, w->params.t_cost, w->params.rows) == 0)
		return 0;
	errno = EINVAL;
	return -1;
}

static bool same_key(const struct bench_work works[2])
{
	return memcmp(works[0].key, works[1].key, BENCH_KEY) == 0;
}

/* Ours and the library's, with that many rows and passes */
static int make_works(struct bench_work works[2], struct lyra2_params *p,
		      uint32_t rows, uint32_t t_cost)
{
	p->rows = rows;
	p->t_cost = t_cost;
	works[1] = (struct bench_work){ .name = "PHS", .run = run_phs,
					.params = *p };
	return bench_ours(&works[0], "ours", p, NULL, false);
}

/*
 * Stores the function that the library computes, or else the first of ours.
 * The versions' windows differ from R=18 on.
 */
static int find_ours(struct lyra2_params *found)
{
	static const uint32_t functions[][2] = {
		{ 30, LYRA2_BLAMKA }, { 30, LYRA2_BLAKE2B },
		{ 30, LYRA2_HALF_BLAMKA }, { 25, LYRA2_BLAKE2B },
		{ 25, LYRA2_HALF_BLAMKA },
	};
	size_t i = sizeof(functions) / sizeof(functions[0]);
	struct bench_work works[2];
	int status = TOOL_YES;
	bool same = false;

	while (i-- > 0 && !same && status == TOOL_YES) {
		lyra2_params_init(found);
		found->version = functions[i][0];
		found->sponge = functions[i][1];
		found->lanes = 1;
		status = make_works(works, found, 18, 1);
		if (status == TOOL_YES && (works[0].run(&works[0]) < 0 ||
					   works[1].run(&works[1]) < 0))
			status = tool_errno("PHS()");
		same = status == TOOL_YES && same_key(works);
		bench_free(works, 1);
	}
	return status;
}

static int race(const struct compared *with, const char *path,
		struct lyra2_params *p, uint32_t cost, struct table *t)
{
	const char *slash = strrchr(path, '/');
	struct bench_work works[2];
	char function[FUNCTION_NAME];
	int status = make_works(works, p, cost, cost);

	function_name(p, function);
	if (status == TOOL_YES)
		status = bench_race(works, 2, runs_of(with, 200), path);
	if (status == TOOL_YES)
		table_add(t, (struct cell[]){
			cell_text(slash ? slash + 1 : path),
			cell_text(function), cell_count(cost),
			cell_number(works[0].median),
			cell_number(works[1].median),
			cell_number(works[1].median / works[0].median),
			cell_bool(same_key(works)) });
	bench_free(works, 2);
	return status;
}

int compare_phs(const struct compared *with, struct table *t)
{
	struct lyra2_params p;
	char *const *path;
	uint32_t cost;
	int status = TOOL_YES;

	*t = (struct table){ .key = "phs", .columns = columns };
#ifdef M_MMAP_MAX
	/* What malloc() returns is kept from one hash to the next. */
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
	for (path = with->libraries; *path && status == TOOL_YES; path++) {
		void *library = open_library(*path);

		if (!library)
			return TOOL_INPUT;
		if (!find_function(library, "PHS", &phs))
			return tool_error(TOOL_INPUT, "%s has no PHS()", *path);
		status = find_ours(&p);
		for (cost = 16; cost <= 64 && status == TOOL_YES; cost *= 2)
			status = race(with, *path, &p, cost, t);
	}
	return status;
}
