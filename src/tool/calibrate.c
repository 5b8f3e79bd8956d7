/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2 calibrate: measures the CPU time of the costs from below, and prints
 * the last one that takes no more than asked as a line for pam_lyra2.conf(5).
 */
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "tool.h"

enum { RUNS = 5 };

/* Of all hashes: CPU time, and the time that went by */
static double computed, elapsed;

static double now_ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/*
 * Each login hashes in fresh memory, so this does, too.  CPU time leaves out
 * that other programs had the CPU.  Their use of caches and memory still adds
 * to it: the least of several times is the best.
 */
static int measure(const struct lyra2_params *p, double *ms)
{
	double begun, took, then;
	uint8_t key[32];
	int i;

	for (i = 0; i < RUNS; i++) {
		then = now_ms(CLOCK_MONOTONIC);
		begun = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		if (lyra2_kdf(tool_ctx(), p, "password", 8, "saltsalt", 8, key,
			      sizeof(key)) < 0)
			return -1;
		took = now_ms(CLOCK_PROCESS_CPUTIME_ID) - begun;
		elapsed += now_ms(CLOCK_MONOTONIC) - then;
		computed += took;
		if (i == 0 || took < *ms)
			*ms = took;
	}
	return 0;
}

/* Half as much again is more than what the system does for itself. */
static void warn_if_busy(void)
{
	if (elapsed > computed * 1.5)
		tool_error(TOOL_YES, "this machine is busy: the hashes took "
			   "%.0f ms of CPU time, and %.0f ms to get it; "
			   "repeat this when the machine is idle", computed,
			   elapsed);
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
	warn_if_busy();
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
		{ "target", "MS", "milliseconds of CPU time for a hash "
		  "(100)", options_set_u32, &target, 1, 60000 },
		{ 0 },
	};
	struct arguments args = {
		.usage = "[OPTION...]",
		.text = "Finds the highest cost with which a hash takes no "
			"more CPU time than the target,\nand prints it as a "
			"line for pam_lyra2.conf.",
		.options = options,
	};

	if (!tool_start(&args, argc, argv))
		return args.status;
	return search(target);
}
