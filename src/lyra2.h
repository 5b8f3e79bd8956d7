/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lyra2.h - password hashing with Lyra2, versions 2.5 and 3.
 *
 * Every function is thread-safe as long as no two threads use the same
 * context or output buffer at once.  Unless its comment says otherwise a
 * function returns 0, or -1 with errno set to
 *   EINVAL   an argument or string is malformed or out of its range,
 *   ERANGE   a limit is exceeded: a password of more than LYRA2_MAX_PASSWORD
 *            bytes, an output buffer too small, a string too costly,
 *   ENOMEM   the memory that the parameters ask for cannot be had,
 *   ENOTSUP  the kernel asked for is unknown, cannot run on this CPU or
 *            failed its self test.
 * No function prints, exits or keeps a secret.  See lyra2(3) and lyra2(5).
 * The paper: Andrade et al., "Lyra2: Efficient Password Hashing with High
 * Security against Time-Memory Trade-Offs", IEEE Trans. Computers, 2016.
 */
#ifndef LYRA2_H
#define LYRA2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define LYRA2_MAX_PASSWORD 511	/* bytes of a password kept as a string */
#define LYRA2_MAX_STRING 384	/* bytes of any string, with its NUL */
#define LYRA2_MAX_MEMORY (UINT64_C(1) << 30)	/* bytes, for a string */
#define LYRA2_MAX_DUPLEXINGS (UINT64_C(1) << 30) /* (t+1)*r*c, likewise */
#define LYRA2_COST_MIN 4	/* cost number n means 2^n rows */
#define LYRA2_COST_MAX 15
#define LYRA2_COST_DEFAULT 11

enum { LYRA2_BLAKE2B, LYRA2_BLAMKA, LYRA2_HALF_BLAMKA };	/* sponges */

/* What makes one Lyra2 function; start from lyra2_params_init(). */
struct lyra2_params {
	uint32_t version;	/* 25 or 30 (30) */
	uint32_t sponge;	/* (LYRA2_BLAMKA), which 25 has not */
	uint32_t rotation;	/* bits: 128 or 256 (128) */
	uint32_t t_cost;	/* passes of wandering, 1... (2) */
	uint32_t rows;		/* 3*lanes... (2048) */
	uint32_t cols;		/* blocks in a row, 1... (256) */
	uint32_t lanes;		/* 1... (1); above 1 only in version 30 */
	uint32_t block_words;	/* 8, 10 or 12 (12); a string has 12 */
	uint32_t rho;		/* reduced rounds, 1...12, half ones to 24 (1);
				 * a string has 1 */
};

/* Sets *params to the defaults for new hashes, in parentheses above. */
void lyra2_params_init(struct lyra2_params *params);

/*
 * Checks *params for lyra2_kdf(), or for what a string may carry.  Where they
 * are refused and why is not NULL, up to whysize bytes of why receive one
 * sentence with the field, its value and the range.  EINVAL, ERANGE.
 */
int lyra2_check(const struct lyra2_params *params, char *why, size_t whysize);
int lyra2_check_string(const struct lyra2_params *params, char *why,
		       size_t whysize);

/* Bytes that matrix and lanes take, or 0, EINVAL, if lyra2_check() refuses. */
uint64_t lyra2_memory(const struct lyra2_params *params);

/*
 * Reads a setting or a hash, "$lyra2$v=30$t=2,r=2048,c=256$<salt>$[<hash>]",
 * into *params.  The hash part may be empty or anything printable.  Nothing
 * costlier than the two limits above is accepted.  why and whysize as in
 * lyra2_check().  EINVAL, ERANGE.
 */
int lyra2_parse(const char *string, struct lyra2_params *params, char *why,
		size_t whysize);

/* A context keeps its memory, wiped, from hash to hash.  NULL: ENOMEM. */
struct lyra2_ctx *lyra2_ctx_new(void);

/* Frees a context or NULL.  Keeps errno. */
void lyra2_ctx_free(struct lyra2_ctx *ctx);

/* Makes ctx use the kernel of that name; NULL: the choice.  ENOTSUP. */
int lyra2_ctx_kernel(struct lyra2_ctx *ctx, const char *name);

/*
 * The raw function: keylen bytes (1...2^32-1) of key from a password and a
 * salt of any length up to 2^32-1 (NULL: length 0), which key may overlap.
 * ctx may be NULL: memory is then mapped, wiped and unmapped in the call.  The
 * cost is bounded by nothing but the parameters.  EINVAL, ENOMEM, ENOTSUP.
 */
int lyra2_kdf(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	      const void *password, size_t passwordlen, const void *salt,
	      size_t saltlen, void *key, size_t keylen);

/*
 * Writes a setting for new hashes to out: *params (NULL: the defaults) and a
 * salt of saltlen bytes (8...64), or 16 random bytes where salt is NULL.
 * outsize: at most LYRA2_MAX_STRING are needed.  EINVAL, ERANGE, or what
 * getrandom(2) gives.
 */
int lyra2_gensalt(const struct lyra2_params *params, const void *salt,
		  size_t saltlen, char *out, size_t outsize);

/*
 * crypt(3): hashes a password under a setting or an earlier hash, whose hash
 * part is not looked at, and writes the setting and 43 characters for 32
 * bytes of hash to out.  EINVAL, ERANGE, ENOMEM, ENOTSUP; out is then an
 * empty string if outsize is not 0.
 */
int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
		const void *password, size_t passwordlen, char *out,
		size_t outsize);

/* lyra2_gensalt() with a random salt, then lyra2_crypt(). */
int lyra2_hash(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	       const void *password, size_t passwordlen, char *out,
	       size_t outsize);

/*
 * Compares a password with a complete hash of 16...64 bytes, in constant
 * time.  Returns 0 only if it is the password, 1 if it is not, or -1 with
 * errno EINVAL, ERANGE, ENOMEM or ENOTSUP: anything but 0 is a no.
 */
int lyra2_verify(struct lyra2_ctx *ctx, const char *hash,
		 const void *password, size_t passwordlen);

/*
 * Whether hash has other parameters than *params (NULL: the defaults), a salt
 * under 16 bytes or a hash of other than 32: 1, 0, or -1, EINVAL or ERANGE.
 */
int lyra2_needs_rehash(const char *hash, const struct lyra2_params *params);

/*
 * Name of the kernel for one lane: the environment's LYRA2_KERNEL (not in
 * set-id programs), else the choice.  NULL: LYRA2_KERNEL names none, ENOTSUP.
 */
const char *lyra2_kernel(void);

/*
 * Name of kernel i in order of preference, or NULL past the last.  *usable
 * (may be NULL) becomes 1 if this CPU can run it, else 0.
 */
const char *lyra2_kernel_at(size_t i, int *usable);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
