/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses parameters for a machine. */
#ifndef LYRA2_TOOL_CALIBRATE_H
#define LYRA2_TOOL_CALIBRATE_H

#include <stdint.h>

#include "lyra2.h"

/* A machine is noisy if times of the same hash differ by more than this. */
#define CALIBRATE_NOISE 0.2

struct choice {
	struct lyra2_params params;	/* in: version, sponge, cols, lanes */
	uint32_t target_ms, parallel, runs;
	uint64_t max_memory;
	double us;			/* what the choice took */
	double spread;			/* quartiles apart, of that */
};

/*
 * Finds the most memory that two passes over it can hash in the target time
 * with so many hashes at once; what is left of the time goes into more passes.
 * Returns 0, TOOL_NO without a message where even the least is too slow, or
 * another status after a message.
 */
int calibrate_search(struct choice *choice);

#endif
