/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface between the library and a kernel.  A kernel computes the hash.
 */
#ifndef LYRA2_CORE_H
#define LYRA2_CORE_H

#include "lyra2-kernels.h"

/* Functions shared between the library's files */
#define LYRA2_INTERNAL __attribute__((visibility("hidden")))

/* Bytes of state that a kernel keeps for each lane, behind the matrix. */
#define LYRA2_LANE_BYTES 384

/*
 * A hash to compute.  The library has checked everything, so a kernel cannot
 * fail.
 */
struct lyra2_job {
	struct lyra2_params params;
	uint32_t rotation;	/* bits: 128; in version 2.5 also 256 */
	const uint8_t *password;
	size_t passwordlen;
	const uint8_t *salt;
	size_t saltlen;
	uint64_t *matrix;	/* lanes * (rows / lanes) * cols blocks */
	void *lanes;		/* lanes * LYRA2_LANE_BYTES, aligned to 64 */
	uint8_t *key;
	size_t keylen;
};

/* A kernel. */
typedef void lyra2_core_fn(const struct lyra2_job *job);

#endif
