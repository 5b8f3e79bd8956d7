/* SPDX-License-Identifier: BSD-2-Clause */
/* Lyra2, version 3 with BlaMka, and the settings that say what to compute. */
#ifndef ALG_LYRA2_H
#define ALG_LYRA2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "byteorder.h"

/* The name that the implementations use */
#define bytes_get64 le64_to_cpu

#define LYRA2_HASH_BYTES 32
#define LYRA2_BLOCK_BYTES 96	/* bytes of a block in the matrix */

/* Bytes of state that an implementation keeps for each lane. */
#define LYRA2_LANE_BYTES 384

struct lyra2_params {
	uint32_t t_cost;	/* passes over the matrix, 2... */
	uint32_t rows;		/* 2^4...2^15 */
	uint32_t cols;		/* blocks of 96 bytes in a row, 12...4096 */
	uint32_t lanes;		/* 1, 2 or 4 */
};

/* A hash to compute.  All has been checked, so computing it cannot fail. */
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

/* An implementation */
typedef void lyra2_core_fn(const struct lyra2_job *job);

#ifdef LYRA2_C
extern lyra2_core_fn lyra2_core_plain;
#endif
#ifdef LYRA2_X86
extern lyra2_core_fn lyra2_core_sse2;
#endif

/*
 * Reads a setting that begins with the prefix.  Sets params, salt and saltlen
 * of the job, and *end to where the setting ends, a "$" or NUL.  Returns false
 * if the setting is malformed or costs more than crypt(5) allows.
 */
extern bool lyra2_decode(struct lyra2_job *job, const char *prefix,
			 const char *setting, const char **end);

/* Writes n bytes as characters of ascii64, the first bit of each byte first. */
extern void lyra2_encode(const uint8_t *in, size_t n, char *out);

/* gensalt_*_rn() of crypt-port.h, for a method with this prefix */
extern void lyra2_gensalt(const char *prefix, unsigned long count,
			  const uint8_t *rbytes, size_t nrbytes,
			  uint8_t *output, size_t o_size);

/*
 * Computes job->key in memory that it allocates, wipes and frees.  Returns
 * false, with errno ENOMEM, if there is not enough memory.
 */
extern bool lyra2_compute(struct lyra2_job *job);

/* Wipes the stack below the caller's frame, where a function has left data. */
extern void lyra2_wipe_stack(void);

#endif
