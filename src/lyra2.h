/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Password hashing with Lyra2, versions 2.5 and 3: the interface of liblyra2.
 * lyra2(3) explains it with examples, lyra2(5) describes the strings.
 *
 * Functions of type int return 0, or -1 with errno set; each comment names
 * those of these errors that the function can return:
 *   EINVAL   a parameter or argument is out of its range, a string malformed,
 *   ERANGE   a limit is exceeded: a password of more than LYRA2_MAX_PASSWORD
 *            bytes, an output buffer too small, a string too costly,
 *   ENOMEM   the memory that the parameters ask for is not available,
 *   ENOTSUP  the kernel is unknown, not for this CPU or failed its self test.
 * lyra2_strerror() has a text for each.  Where params may be NULL, it stands
 * for the defaults.  Every function is safe to call from several threads, as
 * long as no two of them use the same context or write to the same buffer at
 * once.  No function prints, exits, or keeps a copy of a secret.
 *
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

/* The release that this header belongs to: 0x010203 is release 1.2.3. */
#define LYRA2_LIBRARY_VERSION 0x000100

/* Limits on strings, which may come from an untrusted source. */
#define LYRA2_MAX_PASSWORD 511	/* bytes */
#define LYRA2_MAX_STRING 384	/* bytes, with the NUL */
#define LYRA2_MAX_MEMORY (UINT64_C(1) << 30)	/* bytes: lyra2_memory() */
#define LYRA2_MAX_WORK (UINT64_C(1) << 28)	/* lyra2_work() */
#define LYRA2_MIN_SALT 8	/* characters */
#define LYRA2_MAX_SALT 64
#define LYRA2_NEW_SALT 22	/* in new strings */
#define LYRA2_MIN_HASH 16	/* bytes */
#define LYRA2_MAX_HASH 64
#define LYRA2_NEW_HASH 32

#define LYRA2_MIN_RANDOM 6	/* bytes; they give salts of these lengths */
#define LYRA2_MAX_RANDOM 48
#define LYRA2_NEW_RANDOM 16

/* The cost number n, as in crypt_gensalt(3), means 2^n rows. */
#define LYRA2_COST_MIN 4
#define LYRA2_COST_MAX 15
#define LYRA2_COST_DEFAULT 11

enum { LYRA2_BLAKE2B, LYRA2_BLAMKA, LYRA2_HALF_BLAMKA };	/* sponges */
enum { LYRA2_NO_OUTER, LYRA2_BASH256 };	/* outer hashes */

/*
 * The parameters of Lyra2, with the defaults in parentheses.  Start with
 * lyra2_params_init(): later releases will take new fields from reserved,
 * where 0 means the default.
 */
struct lyra2_params {
	uint32_t version;	/* 25 or 30 (30) */
	uint32_t sponge;	/* (LYRA2_BLAMKA, not in version 25) */
	uint32_t rotation;	/* bits: 128 or 256 (128) */
	uint32_t t_cost;	/* passes of wandering, 1... (2) */
	uint32_t rows;		/* 3*lanes... (2048) */
	uint32_t cols;		/* blocks in a row, 1... (256) */
	uint32_t lanes;		/* 1... (1); above 1 only in version 30 */
	uint32_t block_words;	/* 8, 10 or 12 (12) */
	uint32_t rho;		/* reduced rounds: 1...12, half: 1...24 (1) */
	uint32_t outer;		/* outer hash of strings; lyra2_kdf() ignores
				 * it (LYRA2_NO_OUTER) */
	uint32_t reserved[6];	/* 0 */
};

/*
 * Returns the release of the library at run time, in the same form as
 * LYRA2_LIBRARY_VERSION, the release of the header at compile time.
 */
uint32_t lyra2_library_version(void);

/* Returns a constant text for a value of errno that a function here set. */
const char *lyra2_strerror(int error);

/* Sets *params to the defaults. */
void lyra2_params_init(struct lyra2_params *params);

/*
 * Return the name that programs and configuration files use for a version,
 * "2.5" or "3", a sponge, "blake2b", "blamka" or "half-blamka", and an outer
 * hash, "none" or "bash256"; NULL for any other number.  Sponges and outer
 * hashes are numbered from 0 without a gap.
 */
const char *lyra2_version_name(uint32_t version);
const char *lyra2_sponge_name(uint32_t sponge);
const char *lyra2_outer_name(uint32_t outer);

/*
 * Check *params for lyra2_kdf(), and for a string, which has blamka or
 * blake2b, rotation 128, block_words 12, rho 1 and costs within the limits
 * above.  If params are refused and why is not NULL, a sentence with the
 * field, its value and the range is written to why, at most whysize bytes;
 * otherwise why is left unchanged.  EINVAL, ERANGE.
 */
int lyra2_check(const struct lyra2_params *params, char *why, size_t whysize);
int lyra2_check_string(const struct lyra2_params *params, char *why,
		       size_t whysize);

/*
 * Returns the bytes that the matrix and the lanes take, or 0 with errno
 * EINVAL if lyra2_check() refuses params.
 */
uint64_t lyra2_memory(const struct lyra2_params *params);

/*
 * Returns (t_cost + 1) * rows * (cols + 8), at most 2^64-1, which grows in
 * proportion to the time of a hash; short rows cost more for each block.
 * Returns 0 with errno EINVAL if lyra2_check() refuses params.
 */
uint64_t lyra2_work(const struct lyra2_params *params);

/*
 * Reads a setting or a hash, "$lyra2$v=30$t=2$r=2048$c=256$<salt>[$<hash>]",
 * into *params, which is left unchanged if the string is refused.  The hash
 * may be any printable text.  why and whysize are as in lyra2_check().
 * EINVAL; ERANGE above the limits.
 */
int lyra2_parse(const char *string, struct lyra2_params *params, char *why,
		size_t whysize);

/*
 * Returns a context, which keeps its memory, wiped, from one hash to the next;
 * free it with lyra2_ctx_free().  Returns NULL with errno ENOMEM on failure.
 * Where a function takes a context, NULL means: map, wipe and unmap the memory
 * in the call.
 */
struct lyra2_ctx *lyra2_ctx_new(void);

/* Frees a context, or does nothing for NULL.  Keeps errno. */
void lyra2_ctx_free(struct lyra2_ctx *ctx);

/*
 * Makes ctx use the kernel of that name; NULL restores the automatic choice.
 * On error ctx is left unchanged.  ENOTSUP.
 */
int lyra2_ctx_kernel(struct lyra2_ctx *ctx, const char *name);

/*
 * Makes ctx refuse strings (ERANGE) above these values of lyra2_memory() and
 * lyra2_work().  0, or a value above the limit for all strings, means that
 * limit.
 */
void lyra2_ctx_limits(struct lyra2_ctx *ctx, uint64_t memory, uint64_t work);

/*
 * Computes the raw function: keylen bytes of key, 1...2^32-1, from a password
 * and a salt of 0...2^32-1 bytes each; NULL is allowed for a length of 0.  key
 * may overlap both.  There is no limit on the cost.  On error key is left
 * unchanged.  EINVAL, ENOMEM, ENOTSUP.
 */
int lyra2_kdf(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	      const void *password, size_t passwordlen, const void *salt,
	      size_t saltlen, void *key, size_t keylen);

/*
 * Writes a setting for new hashes to out: *params and, as salt, nrbytes random
 * bytes in base64, LYRA2_MIN_RANDOM...LYRA2_MAX_RANDOM of them.  If rbytes is
 * NULL, getrandom(2) gives LYRA2_NEW_RANDOM bytes.  LYRA2_MAX_STRING is
 * always enough for outsize.  On error out is an empty string, unless outsize
 * is 0.  EINVAL, ERANGE, or what getrandom(2) sets.
 */
int lyra2_gensalt(const struct lyra2_params *params, const void *rbytes,
		  size_t nrbytes, char *out, size_t outsize);

/*
 * Does what crypt(3) does: hashes a password of 0...LYRA2_MAX_PASSWORD bytes
 * under a setting, or under an earlier hash, whose hash part is ignored, and
 * writes the setting, "$" and LYRA2_NEW_HASH bytes of hash in base64 to out,
 * which may be where setting or password is.  On error out is an empty string,
 * unless outsize is 0.  EINVAL, ERANGE, ENOMEM, ENOTSUP.
 */
int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
		const void *password, size_t passwordlen, char *out,
		size_t outsize);

/* Calls lyra2_gensalt(), with random bytes, then lyra2_crypt(). */
int lyra2_hash(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	       const void *password, size_t passwordlen, char *out,
	       size_t outsize);

/*
 * Compares a password with a hash of LYRA2_MIN_HASH...LYRA2_MAX_HASH bytes, in
 * constant time.  Returns 0 only if the password is right, 1 if it is wrong,
 * or -1: anything but 0 is a no.  EINVAL, ERANGE, ENOMEM, ENOTSUP.
 */
int lyra2_verify(struct lyra2_ctx *ctx, const char *hash,
		 const void *password, size_t passwordlen);

/*
 * Returns 1 if a hash has parameters other than *params, a salt of fewer than
 * LYRA2_NEW_SALT characters, or a length other than LYRA2_NEW_HASH bytes; 0 if
 * not; or -1.  EINVAL, ERANGE.
 */
int lyra2_needs_rehash(const char *hash, const struct lyra2_params *params);

/*
 * Returns the name of the kernel for *params: the one that the environment
 * variable LYRA2_KERNEL names, except in set-id programs, else the choice for
 * this CPU.  Sets *why, unless why is NULL, to a constant text: the ground of
 * the choice.  On error returns NULL and leaves *why unchanged: EINVAL, or
 * ENOTSUP if this CPU cannot run the kernel that LYRA2_KERNEL names.
 */
const char *lyra2_kernel_for(const struct lyra2_params *params,
			     const char **why);

/* Returns lyra2_kernel_for() the defaults. */
const char *lyra2_kernel(void);

/*
 * Returns the name of kernel i, the one for the defaults first, or NULL past
 * the last.  Sets *usable, unless usable is NULL, to 1 if this CPU can run it,
 * else 0.
 */
const char *lyra2_kernel_at(size_t i, int *usable);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
