/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 calibrate: parameters for this machine, and what they are worth. */
#include "calibrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench-time.h"
#include "function.h"
#include "options.h"
#include "table.h"
#include "tool.h"

/*
 * The attacker's hardware moves 1 TB/s, as the memory of a large graphics card
 * does, and nothing else limits it.  $6$ moves no memory: such a card computes
 * about 5e9 SHA-512 per second, and $6$ takes 5000 of them.
 */
static const double attacker_bytes = 1e12, attacker_sha512 = 5e9;

/* The least memory to configure without --force. */
#define FLOOR (8 * BENCH_MIB)

static const struct column guess_columns[] = {
	{ "hash", "hash", 0 }, { "time_ms", "ms here", 1 },
	{ "memory", "bytes of memory", 0 },
	{ "bytes_per_guess", "bytes/guess", 0 },
	{ "guesses_per_s", "guesses/s", 0 },
	{ "guesses_per_s_cached", "at best", 0 }, { "limit", "limit", 0 },
	{ 0 },
};

static void add_guess(struct table *t, const char *name, double us,
		      uint64_t memory, double bytes, double cached)
{
	table_add(t, (struct cell[]){
		cell_text(name), cell_number(us / 1e3), cell_count(memory),
		cell_number(bytes), cell_number(attacker_bytes / bytes),
		cell_number(attacker_bytes / cached),
		cell_text("memory traffic") });
}

static bool under_load(struct bench_work *w, const struct choice *c,
		       double *us)
{
	struct bench_load load = { .work = w, .processes = c->parallel,
				   .runs = c->runs };
	const bool done = bench_load_run(&load) == TOOL_YES;

	*us = load.median;
	return done;
}

static void guesses(struct table *t, const struct choice *c)
{
	struct bench_work w;
	double us;

	*t = (struct table){ .key = "guesses", .columns = guess_columns,
		.title = "Guesses by hardware that moves 1 TB/s; at best: "
			 "keeps two rows of each on the chip" };
	add_guess(t, "$lyra2$ as chosen", c->us, lyra2_memory(&c->params),
		  bench_traffic(&c->params),
		  bench_traffic_cached(&c->params));
	if (bench_crypt(&w, "$y$", "$y$", 5, 16 * BENCH_MIB) &&
	    under_load(&w, c, &us))
		add_guess(t, "$y$ default", us, w.memory, w.moved, w.moved);
	if (bench_crypt(&w, "$6$", "$6$", 5000, 0) && under_load(&w, c, &us))
		table_add(t, (struct cell[]){
			cell_text("$6$ default"), cell_number(us / 1e3),
			cell_count(0), cell_number(0),
			cell_number(attacker_sha512 / 5000),
			cell_number(attacker_sha512 / 5000),
			cell_text("5e9 SHA-512/s, assumed") });
}

/* ---- comparing numbers of lanes ---- */

static const struct column lane_columns[] = {
	{ "lanes", "lanes", 0 }, { "t_cost", "t_cost", 0 },
	{ "rows", "rows", 0 }, { "memory_mib", "MiB", 1 },
	{ "time_ms", "ms", 1 }, { "spread", "spread", 2 },
	{ "moved_mib", "MiB moved", 0 },
	{ "area_time", "area*time", 2 }, { "chosen", "chosen", 0 },
	{ 0 },
};

/*
 * A chip that computes the lanes of a guess at once needs the memory for as
 * long as one lane takes: MiB times millions of duplexings in a row.
 */
static double area_time(const struct lyra2_params *p)
{
	return (double)lyra2_memory(p) / BENCH_MIB * (p->t_cost + 1.0) *
	       (p->rows / p->lanes) * p->cols / 1e6;
}

static void add_lanes(struct table *t, const struct choice *c, bool chosen)
{
	const struct lyra2_params *p = &c->params;

	table_add(t, (struct cell[]){
		cell_count(p->lanes), cell_count(p->t_cost),
		cell_count(p->rows),
		cell_number((double)lyra2_memory(p) / BENCH_MIB),
		cell_number(c->us / 1e3), cell_number(c->spread),
		cell_number(bench_traffic(p) / BENCH_MIB),
		cell_number(area_time(p)), cell_bool(chosen) });
}

/* More memory is better; if it is about the same, more to move. */
static bool better(const struct lyra2_params *a, const struct lyra2_params *b)
{
	const double ratio = (double)lyra2_memory(a) / (double)lyra2_memory(b);

	if (ratio > 1.05 || ratio < 1 / 1.05)
		return ratio > 1;
	return bench_traffic(a) > bench_traffic(b);
}

enum { MAX_LANES = 3 };

/* Searches with each number of lanes and leaves the best in *c. */
static int choose_lanes(struct choice *c, const uint32_t *lanes, size_t n,
			struct table *t)
{
	struct choice found[MAX_LANES];
	size_t i, best = 0, k = 0;
	int status;

	*t = (struct table){ .key = "choices", .columns = lane_columns,
			     .title = "The most memory in the time, with each "
				      "number of lanes" };
	for (i = 0; i < n; i++) {
		found[k] = *c;
		found[k].params.lanes = lanes[i];
		status = calibrate_search(&found[k]);
		if (status == TOOL_NO) {
			*c = found[k];	/* for a message */
			continue;
		}
		if (status != TOOL_YES)
			return status;
		if (better(&found[k].params, &found[best].params))
			best = k;
		k++;
	}
	if (k == 0)
		return tool_error(TOOL_NO, "--target: the least setting, %u "
				  "rows in %u passes, takes %.1f ms here",
				  c->params.rows, c->params.t_cost,
				  c->us / 1e3);
	for (i = 0; i < k; i++)
		add_lanes(t, &found[i], i == best);
	*c = found[best];
	return TOOL_YES;
}

/* ---- output ---- */

static void print_json(const struct choice *c, const struct table *lanes,
		       const struct table *guess)
{
	printf("{\"target_ms\":%" PRIu32 ",\"max_memory\":%" PRIu64
	       ",\"parallel\":%" PRIu32 ",\"kernel\":\"%s\",", c->target_ms,
	       c->max_memory, c->parallel, lyra2_kernel_for(&c->params, NULL));
	function_print_json(&c->params);
	printf(",\"time_ms\":%.3f,\"spread\":%.3f,\n", c->us / 1e3, c->spread);
	table_json(lanes);
	puts(",");
	table_json(guess);
	puts("}");
}

static void print(const struct choice *c, const struct table *lanes,
		  const struct table *guess)
{
	function_print_conf(&c->params, stdout);
	printf("\n%.1f MiB and %.1f ms for one of %" PRIu32 " at once (wanted: "
	       "at most %" PRIu64 " MiB, %" PRIu32 " ms)\n\n",
	       (double)lyra2_memory(&c->params) / BENCH_MIB, c->us / 1e3,
	       c->parallel, c->max_memory / BENCH_MIB, c->target_ms);
	table_print(lanes);
	putchar('\n');
	table_print(guess);
}

static void warn(const struct choice *c)
{
	const uint64_t memory = lyra2_memory(&c->params);
	const uint64_t normal = lyra2_memory(NULL);

	if (c->spread > CALIBRATE_NOISE)
		tool_error(TOOL_YES, "times of the same hash differ by %.0f %%:"
			   " the machine is busy or changes its clock; let it"
			   " rest and repeat, or give a larger --runs",
			   c->spread * 100);
	if (memory < normal)
		tool_error(TOOL_YES, "%.1f MiB are less than the default, %.0f"
			   " MiB: each guess at a password is cheaper",
			   (double)memory / BENCH_MIB,
			   (double)normal / BENCH_MIB);
}

/* All the hashes at once may take a quarter of what the machine has. */
static uint64_t share_of_memory(uint32_t parallel)
{
	const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			     (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t share = all / 4 / parallel;

	return share < LYRA2_MAX_MEMORY ? share : LYRA2_MAX_MEMORY;
}

/* What to do with the choice, besides finding it. */
struct wants {
	const char *path;	/* NULL: do not write it */
	bool force, json;
};

static int write_choice(const struct choice *c, const struct wants *w)
{
	const uint64_t memory = lyra2_memory(&c->params);

	if (memory < FLOOR && !w->force)
		return tool_error(TOOL_NO, "--write: %.1f MiB are less than "
				  "%d MiB, nothing is written; --force would",
				  (double)memory / BENCH_MIB,
				  (int)(FLOOR / BENCH_MIB));
	return calibrate_write(c, w->path);
}

static int calibrate(struct choice *c, const struct wants *w,
		     const uint32_t *lanes, size_t n)
{
	struct table *t = calloc(2, sizeof(*t));
	int status = TOOL_YES;

	if (!t)
		return tool_errno("calibrate");
	/* Fail now and not after minutes of measuring. */
	if (w->path)
		status = calibrate_write(NULL, w->path);
	if (status == TOOL_YES)
		status = choose_lanes(c, lanes, n, &t[0]);
	if (status == TOOL_YES) {
		warn(c);
		if (w->path)
			status = write_choice(c, w);
		guesses(&t[1], c);
		(w->json ? print_json : print)(c, &t[0], &t[1]);
	}
	free(t);
	return status;
}

/* With what the options left open; lanes is 0 if they gave none. */
static int settle_and_calibrate(struct choice *c, const struct wants *w,
				uint32_t lanes)
{
	static const uint32_t all[MAX_LANES] = { 1, 2, 4 };
	struct lyra2_params *p = &c->params;
	int status;

	if (!c->parallel)
		c->parallel = bench_cpus();
	if (!c->max_memory)
		c->max_memory = share_of_memory(c->parallel);
	p->lanes = lanes ? lanes : 1;
	p->rows = 3 * p->lanes;	/* the search will find how many */
	status = function_check(p, lyra2_check_string);
	if (status != TOOL_YES)
		return status;
	if (lanes)
		return calibrate(c, w, &lanes, 1);
	return calibrate(c, w, all, p->version == 25 ? 1 : MAX_LANES);
}

int calibrate_main(int argc, char **argv)
{
	struct choice c = { .target_ms = 100, .runs = 5 };
	struct lyra2_params *p = &c.params;
	struct wants wants = { .path = NULL };
	uint32_t lanes = 0;
	const struct tool_option options[] = {
		{ "target", "TIME", "a hash takes at most, such as 500ms or "
		  "1s (100ms)", options_set_milliseconds, &c.target_ms, 1,
		  60000 },
		{ "max-memory", "SIZE", "and has at most, such as 64M (a "
		  "share of what there is)", options_set_size, &c.max_memory,
		  1 << 20, LYRA2_MAX_MEMORY },
		{ "parallel", "N", "hashes at once (as many as there are "
		  "CPUs)", options_set_u32, &c.parallel, 1, 1024 },
		{ "runs", "N", "hashes of each for one measurement (5)",
		  options_set_u32, &c.runs, 1, 10000 },
		{ "version", "2.5|3", "version of Lyra2 (3)",
		  function_set_version, &p->version, 0, 0 },
		{ "sponge", "NAME", FUNCTION_SPONGES, function_set_sponge,
		  &p->sponge, 0, 0 },
		FUNCTION_OUTER_OPTION(p),
		{ "lanes", "N", "lanes (the best of 1, 2 and 4)",
		  options_set_u32, &lanes, 1, UINT32_MAX / 3 },
		{ "write", "FILE", "put the choice into this pam_lyra2.conf",
		  options_set_string, &wants.path, 0, 0 },
		{ "force", NULL, "write less than 8 MiB too",
		  options_set_flag, &wants.force, 0, 0 },
		{ "json", NULL, "print an object", options_set_flag,
		  &wants.json, 0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Finds the parameters with the most memory, and the "
			"most passes over it,\nthat hash in the time.",
		.options = options,
	};

	function_init(p);
	if (!tool_start(&args, argc, argv))
		return args.status;
	return settle_and_calibrate(&c, &wants, lanes);
}
