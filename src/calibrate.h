/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing parameters for a machine, and writing them down. */
#ifndef LYRA2_CALIBRATE_H
#define LYRA2_CALIBRATE_H

#include "bench.h"

struct choice {
	struct lyra2_params params;	/* in: version, sponge, cols, lanes */
	uint32_t target_ms, parallel, runs;
	uint64_t max_memory;
	double us;			/* what the choice took */
};

/*
 * The most memory that two passes over it let hash in the target time with
 * parallel hashes at once; what is left of the time goes into more passes.
 * 0, TOOL_NO after a message where nothing is that fast, or another status.
 */
int calibrate_search(struct choice *choice);

/*
 * Puts the choice into the PAM module's configuration file, in place of what
 * it has for the same keys; every other line, and the file's owner, group and
 * mode, stay.  NULL: only tries whether it could.  0 or an exit status.
 */
int calibrate_write(const struct choice *choice, const char *path);

#endif
