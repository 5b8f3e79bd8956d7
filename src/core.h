/* SPDX-License-Identifier: BSD-2-Clause */
/* The border between what prepares a hash and the kernels that compute it. */
#ifndef LYRA2_CORE_H
#define LYRA2_CORE_H

#include "lyra2.h"

/*
 * Functions shared between the library's files.  A program that compiles all
 * of them as one translation unit defines this as static.
 */
#ifndef LYRA2_INTERNAL
#define LYRA2_INTERNAL __attribute__((visibility("hidden")))
#endif

/* Bytes that a kernel keeps for each lane behind the matrix. */
#define LYRA2_LANE_BYTES 384

/* One hash to compute.  Everything has been checked: a kernel can't fail. */
struct lyra2_job {
	struct lyra2_params params;
	const uint8_t *password;
	size_t passwordlen;
	const uint8_t *salt;
	size_t saltlen;
	uint64_t *matrix;	/* lanes * (rows / lanes) * cols blocks */
	void *lanes;		/* lanes * LYRA2_LANE_BYTES, aligned to 64 */
	uint8_t *key;
	size_t keylen;
};

/*
 * How every function of a kernel is declared.  Compilers drop rows from
 * registers at any call left standing, and the target must be that of the
 * kernel, which defines CORE_TARGET.  Sanitizers take minutes to compile what
 * is all inlined: their builds define LYRA2_CALLS.
 */
#ifdef LYRA2_CALLS
#define CORE static __attribute__((unused)) CORE_TARGET
#ifndef __clang__	/* gcc can tell only where all is inlined */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#else
#define CORE static inline __attribute__((always_inline, unused)) CORE_TARGET
#endif

/* The same for what is done once a hash and need not be fast. */
#define CORE_ONCE static __attribute__((noinline)) CORE_TARGET

/*
 * Columns from the one at work to the one whose lines are asked for: a line
 * from memory takes the time of ten.  And the words of a line.
 */
enum { CORE_AHEAD = 16, CORE_LINE = 8 };

typedef void lyra2_core_fn(const struct lyra2_job *job);

#endif
