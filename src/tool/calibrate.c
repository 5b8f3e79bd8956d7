/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 calibrate: parameters for this machine, and what they are worth. */
#include "calibrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "bench-time.h"
#include "function.h"
#include "options.h"
#include "table.h"
#include "tool.h"

/*
 * What one graphics card can guess a second; doc/attack-cost has the sources.
 * Of $lyra2$ only a bound is known: what the memory of an RTX 4090 can move.
 */
static const double card_bytes = 1.008e12, card_yescrypt = 419,
		    card_sha512crypt = 1619e3;

/* The least memory to use without --force. */
#define FLOOR (8 * BENCH_MIB)

static const struct column guess_columns[] = {
	{ "hash", "hash", 0 }, { "time_ms", "ms here", 1 },
	{ "memory", "bytes of memory", 0 },
	{ "guesses_per_s", "guesses/s", 0 }, { "known", "known from", 0 },
	{ 0 },
};

static void add_guess(struct table *t, const char *name, double us,
		      uint64_t memory, double guesses, const char *known)
{
	table_add(t, (struct cell[]){
		cell_text(name), cell_number(us / 1e3), cell_count(memory),
		cell_number(guesses), cell_text(known) });
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
		.title = "Guesses a second by one graphics card" };
	add_guess(t, "$lyra2$ as chosen", c->us, lyra2_memory(&c->params),
		  card_bytes / bench_traffic_cached(&c->params),
		  "a bound: 1008 GB/s, no other limit");
	if (bench_crypt(&w, "$y$", "$y$", 5, 16 * BENCH_MIB) &&
	    under_load(&w, c, &us))
		add_guess(t, "$y$ default", us, w.memory, card_yescrypt,
			  "measured: hashcat #4657");
	if (bench_crypt(&w, "$6$", "$6$", 5000, 0) && under_load(&w, c, &us))
		add_guess(t, "$6$ default", us, 0, card_sha512crypt,
			  "measured: john #5809");
}

/* ---- output ---- */

static void print_json(const struct choice *c, const struct table *guess)
{
	printf("{\"target_ms\":%" PRIu32 ",\"max_memory\":%" PRIu64
	       ",\"parallel\":%" PRIu32 ",\"kernel\":\"%s\",", c->target_ms,
	       c->max_memory, c->parallel, tool_kernel_for(&c->params, NULL));
	function_print_json(&c->params);
	printf(",\"time_ms\":%.3f,\"spread\":%.3f,\n", c->us / 1e3, c->spread);
	table_json(guess);
	puts("}");
}

static void print_conf(const struct choice *c, const char *prefix)
{
	const struct lyra2_params *p = &c->params;

	printf("%sversion = %s\n", prefix, lyra2_version_name(p->version));
	printf("%ssponge = %s\n", prefix, lyra2_sponge_name(p->sponge));
	printf("%st_cost = %" PRIu32 "\n", prefix, p->t_cost);
	printf("%srows = %" PRIu32 "\n", prefix, p->rows);
	printf("%scols = %" PRIu32 "\n", prefix, p->cols);
	printf("%slanes = %" PRIu32 "\n", prefix, p->lanes);
	printf("%souter = %s\n", prefix, lyra2_outer_name(p->outer));
	printf("%smax_concurrent = %" PRIu32 "\n", prefix, c->parallel);
}

/*
 * Lines of pam_lyra2.conf(5), where all but the choice is a comment; and the
 * choice too if it is not to be used.
 */
static void print(const struct choice *c, bool usable,
		  const struct table *guess)
{
	printf("# lyra2 calibrate: %.1f MiB and %.1f ms for one of %" PRIu32
	       " at once\n# (wanted: at most %" PRIu64 " MiB, %" PRIu32
	       " ms)\n", (double)lyra2_memory(&c->params) / BENCH_MIB,
	       c->us / 1e3, c->parallel, c->max_memory / BENCH_MIB,
	       c->target_ms);
	print_conf(c, usable ? "" : "# ");
	puts("#");
	table_print(guess, "# ");
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

static int calibrate(struct choice *c, bool force, bool json)
{
	static struct table t;
	const bool weak = lyra2_memory(&c->params) < FLOOR && !force;

	warn(c);
	if (weak)
		tool_error(TOOL_NO, "less than %d MiB is too weak to be used; "
			   "--force uses it", (int)(FLOOR / BENCH_MIB));
	guesses(&t, c);
	if (json)
		print_json(c, &t);
	else
		print(c, !weak, &t);
	return weak ? TOOL_NO : TOOL_YES;
}

/* With what the options left open. */
static int settle_and_search(struct choice *c)
{
	struct lyra2_params *p = &c->params;
	int status;

	if (!c->parallel)
		c->parallel = bench_cpus();
	if (!c->max_memory)
		c->max_memory = share_of_memory(c->parallel);
	lyra2_params_fill(p);
	p->rows = 3 * p->lanes;	/* the search will find how many */
	status = function_check(p, lyra2_check_string);
	if (status == TOOL_YES)
		status = calibrate_search(c);
	if (status == TOOL_NO)
		tool_error(TOOL_NO, "--target: the least setting, %u rows in %u"
			   " passes, takes %.1f ms here", p->rows, p->t_cost,
			   c->us / 1e3);
	return status;
}

int calibrate_main(int argc, char **argv)
{
	struct choice c = { .target_ms = 100, .runs = 5 };
	struct lyra2_params *p = &c.params;
	bool force = false, json = false;
	int status;
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
		{ "lanes", "N", "lanes (4; in version 2.5, 1)",
		  options_set_u32, &p->lanes, 1, UINT32_MAX / 3 },
		{ "force", NULL, "use less than 8 MiB too",
		  options_set_flag, &force, 0, 0 },
		{ "json", NULL, "print an object", options_set_flag, &json,
		  0, 0 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Finds the most memory, and the most passes over it, "
			"that one hash can use in\nthe time, and prints them "
			"as lines for pam_lyra2.conf.",
		.options = options,
	};

	lyra2_params_init(p);
	if (!tool_start(&args, argc, argv))
		return args.status;
	status = settle_and_search(&c);
	return status == TOOL_YES ? calibrate(&c, force, json) : status;
}
