/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 calibrate: what to configure on this machine, and what it is worth. */
#include "calibrate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * An attacker with hardware that moves 1 TB/s, a large graphics card's
 * memory, and that is bound by nothing else.  $6$ has no memory to move: 5000
 * rounds of SHA-512 on hardware with room for 5e9 of them per second, about
 * such a card.
 */
static const double attacker_bytes = 1e12, attacker_sha512 = 5e9;

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

/*
 * $y$ by default: 16 MiB are written and read once at random while they are
 * filled (YESCRYPT_RW), then a third of them is read and written.
 */
static void guesses(struct table *t, const struct choice *c)
{
	const double yescrypt = 16 * BENCH_MIB * (2 + 2 / 3.0);
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
		add_guess(t, "$y$ default", us, 16 * BENCH_MIB, yescrypt,
			  yescrypt);
	if (bench_crypt(&w, "$6$", "$6$", 5000, 0) && under_load(&w, c, &us))
		table_add(t, (struct cell[]){
			cell_text("$6$ default"), cell_number(us / 1e3),
			cell_count(0), cell_number(0),
			cell_number(attacker_sha512 / 5000),
			cell_number(attacker_sha512 / 5000),
			cell_text("5e9 SHA-512/s, assumed") });
}

static void print_json(const struct choice *c, const struct table *t)
{
	const struct lyra2_params *p = &c->params;

	printf("{\"target_ms\":%" PRIu32 ",\"max_memory\":%" PRIu64
	       ",\"parallel\":%" PRIu32 ",\"kernel\":\"%s\",\"version\":"
	       "\"%s\",\"sponge\":\"%s\",\"rotation\":%" PRIu32
	       ",\"t_cost\":%" PRIu32 ",\"rows\":%" PRIu32 ",\"cols\":%" PRIu32
	       ",\"lanes\":%" PRIu32 ",\"memory\":%" PRIu64
	       ",\"time_ms\":%.3f,\n", c->target_ms, c->max_memory,
	       c->parallel, lyra2_kernel(), p->version == 25 ? "2.5" : "3",
	       tool_sponge(p->sponge), p->rotation, p->t_cost, p->rows,
	       p->cols, p->lanes, lyra2_memory(p), c->us / 1e3);
	table_json(t);
	puts("}");
}

static void print(const struct choice *c, const struct table *t)
{
	const struct lyra2_params *p = &c->params;

	printf("version = %s\nsponge = %s\nrotation = %" PRIu32 "\n"
	       "t_cost = %" PRIu32 "\nrows = %" PRIu32 "\ncols = %" PRIu32
	       "\nlanes = %" PRIu32 "\n\n", p->version == 25 ? "2.5" : "3",
	       tool_sponge(p->sponge), p->rotation, p->t_cost, p->rows,
	       p->cols, p->lanes);
	printf("%.1f MiB and %.1f ms for one of %" PRIu32 " at once (wanted: "
	       "at most %" PRIu64 " MiB, %" PRIu32 " ms)\n\n",
	       (double)lyra2_memory(p) / BENCH_MIB, c->us / 1e3, c->parallel,
	       c->max_memory / BENCH_MIB, c->target_ms);
	table_print(t);
}

/* All the hashes at once may take a quarter of what the machine has. */
static uint64_t share_of_memory(uint32_t parallel)
{
	const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			     (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t share = all / 4 / parallel;

	return share < LYRA2_MAX_MEMORY ? share : LYRA2_MAX_MEMORY;
}

static int calibrate(struct choice *c, const char *path, bool json)
{
	struct table *t = malloc(sizeof(*t));
	int status = TOOL_YES;

	if (!t)
		return tool_errno("calibrate");
	/* Not after minutes. */
	if (path)
		status = calibrate_write(NULL, path);
	if (status == TOOL_YES)
		status = calibrate_search(c);
	if (status == TOOL_YES) {
		if (path)
			status = calibrate_write(c, path);
		guesses(t, c);
		(json ? print_json : print)(c, t);
	}
	free(t);
	return status;
}

int tool_calibrate(int argc, char **argv)
{
	struct choice c = { .runs = 5 };
	struct lyra2_params *p = &c.params;
	const char *path = NULL;
	bool json = false;
	const struct tool_option options[] = {
		{ "target", "TIME", "a hash takes at most, such as 100ms or "
		  "1s", tool_set_milliseconds, &c.target_ms, 1, 60000 },
		{ "max-memory", "SIZE", "and has at most, such as 64M (a "
		  "share of what there is)", tool_set_size, &c.max_memory,
		  1 << 20, LYRA2_MAX_MEMORY },
		{ "parallel", "N", "hashes at once (as many as there are "
		  "CPUs)", tool_set_u32, &c.parallel, 1, 1024 },
		{ "runs", "N", "hashes of each for one measurement (5)",
		  tool_set_u32, &c.runs, 1, 10000 },
		{ "version", "2.5|3", "version of Lyra2 (3)",
		  tool_set_version, &p->version, 0, 0 },
		{ "sponge", "NAME", "blake2b, blamka or half-blamka (blamka; "
		  "blake2b for 2.5)", tool_set_sponge, &p->sponge, 0, 0 },
		{ "lanes", "N", "lanes (1)", tool_set_u32, &p->lanes, 1,
		  UINT32_MAX / 3 },
		{ "write", "FILE", "put the choice into this pam_lyra2.conf",
		  tool_set_string, &path, 0, 0 },
		{ "json", NULL, "print an object", tool_set_flag, &json, 0,
		  0 },
	};
	char **operands;
	int status;

	tool_params_init(p);
	if (tool_parse(argc, argv, options, sizeof(options) /
		       sizeof(options[0]), "--target TIME [OPTION...]",
		       "Finds the parameters with the most memory, and the "
		       "most passes over it,\nthat hash in the time.", 0,
		       &operands, &status) < 0)
		return status;
	if (!tool_kernel())
		return TOOL_INPUT;
	if (c.target_ms == 0)
		return tool_error(TOOL_INPUT, "--target: missing");
	if (!c.parallel)
		c.parallel = bench_cpus();
	if (!c.max_memory)
		c.max_memory = share_of_memory(c.parallel);
	p->rows = 3 * p->lanes;	/* the search will find how many */
	status = tool_check_params(p);
	return status == TOOL_YES ? calibrate(&c, path, json) : status;
}
