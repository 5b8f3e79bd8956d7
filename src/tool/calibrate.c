/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2 calibrate: times the costs from below, and prints the last one that
 * takes no longer than asked as a line for pam_lyra2.conf(5).
 */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "tool.h"

enum { RUNS = 5 };

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/*
 * Each login hashes in fresh memory, so this does, too.  Other work on the
 * machine only adds time: the least of several times is the best.
 */
static int measure(const struct lyra2_params *p, double *ms)
{
	uint8_t key[32];
	double begun, took;
	int i;

	for (i = 0; i < RUNS; i++) {
		begun = now_ms();
		if (lyra2_kdf(tool_ctx(), p, "password", 8, "saltsalt", 8, key,
			      sizeof(key)) < 0)
			return -1;
		took = now_ms() - begun;
		if (i == 0 || took < *ms)
			*ms = took;
	}
	return 0;
}

/* Several users log in at once: a hash should not take most of the memory. */
static uint64_t share_of_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) *
	       (uint64_t)sysconf(_SC_PAGESIZE) / 4;
}

/*
 * Whether a cost takes no longer than the target; prints a line for it.  A
 * cost that cannot be measured is too high.
 */
static bool fits(unsigned long cost, uint32_t target, double *ms)
{
	struct lyra2_params p;

	lyra2_params_default(&p);
	p.rows = UINT32_C(1) << cost;
	printf("# cost %2lu: %5.1f MiB, ", cost,
	       (double)lyra2_memory(&p) / (1 << 20));
	fflush(stdout);
	if (lyra2_memory(&p) > share_of_memory()) {
		puts("more than a quarter of this machine's memory");
		return false;
	}
	if (measure(&p, ms) < 0) {
		printf("not measured: %s\n", lyra2_strerror(errno));
		return false;
	}
	printf("%7.1f ms\n", *ms);
	return *ms < target + .05;	/* as printed */
}

static int search(uint32_t target)
{
	unsigned long cost = LYRA2_MIN_COST, found = 0;
	struct lyra2_params p;
	double ms = 0;

	while (cost <= LYRA2_MAX_COST && fits(cost, target, &ms))
		found = cost++;
	if (!found)
		return tool_error(TOOL_NO, "--target: the lowest cost, %d, "
				  "takes %.1f ms here", LYRA2_MIN_COST, ms);
	printf("cost = %lu\n", found);
	lyra2_params_default(&p);
	if (UINT32_C(1) << found < p.rows)
		tool_error(TOOL_YES, "cost %lu is less than the default, %d: "
			   "each guess at a password is cheaper", found,
			   __builtin_ctz(p.rows));
	return TOOL_YES;
}

int calibrate_main(int argc, char **argv)
{
	uint32_t target = 100;
	const struct tool_option options[] = {
		{ "target", "MS", "a hash takes no longer, in milliseconds "
		  "(100)", options_set_u32, &target, 1, 60000 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Finds the highest cost with which a hash takes no "
			"longer than the target,\nand prints it as a line for "
			"pam_lyra2.conf.",
		.options = options,
	};

	if (!tool_start(&args, argc, argv))
		return args.status;
	return search(target);
}
