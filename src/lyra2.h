/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Password hashing with Lyra2, versions 2.5 and 3: the interface of liblyra2.
 * lyra2(3) explains it with examples, lyra2(5) describes the strings.
 *
 * Functions of type int return 0, or -1 with errno set; each comment names
 * those of these errors that the function can return:
 *   EINVAL    a parameter or argument is out of its range, a string malformed,
 *   EMSGSIZE  the password has more than LYRA2_MAX_PASSWORD bytes,
 *   EDOM      a string is too costly: it exceeds a limit on memory or work,
 *   ERANGE    the output buffer is too small,
 *   ENOMEM    the memory that the parameters ask for is not available,
 *   ENOTSUP   the code for this CPU fails its self test.
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

#ifdef __GNUC__
/* The result must be looked at; these arguments must not be NULL. */
#define LYRA2_CHECKED __attribute__((warn_unused_result))
#define LYRA2_NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#define LYRA2_EXPORT __attribute__((visibility("default")))
#else
#define LYRA2_CHECKED
#define LYRA2_NONNULL(...)
#define LYRA2_EXPORT
#endif

/* A program that compiles the library in can define this as static. */
#ifndef LYRA2_API
#define LYRA2_API LYRA2_EXPORT
#endif


/* The release that this header belongs to: 0x010203 is release 1.2.3. */
#define LYRA2_LIBRARY_VERSION 0x000100

/* Limits on strings, which may come from an untrusted source. */
#define LYRA2_MAX_PASSWORD 511	/* bytes */
#define LYRA2_MAX_STRING 384	/* bytes, with the NUL */
#define LYRA2_MAX_MEMORY (UINT64_C(1) << 30)	/* bytes: lyra2_memory() */
#define LYRA2_MAX_WORK (UINT64_C(1) << 28)	/* lyra2_work() */
#define LYRA2_MAX_COLS 4096	/* rows beyond a cache take up to 9 times */
#define LYRA2_MIN_SALT 8	/* characters */
#define LYRA2_MAX_SALT 64
#define LYRA2_NEW_SALT 22	/* in new strings */
#define LYRA2_HASH_BYTES 32	/* 43 characters of base64 */

#define LYRA2_MIN_RANDOM 6	/* bytes; they give salts of these lengths */
#define LYRA2_MAX_RANDOM 48
#define LYRA2_NEW_RANDOM 16

/* The cost numbers of crypt_gensalt(3): lyra2_cost_rows() */
#define LYRA2_MIN_COST 4
#define LYRA2_MAX_COST 15
#define LYRA2_DEFAULT_COST 12

enum lyra2_sponge { LYRA2_BLAKE2B = 1, LYRA2_BLAMKA, LYRA2_HALF_BLAMKA };
enum lyra2_outer { LYRA2_NO_OUTER, LYRA2_BASH256 };

/*
 * The parameters of Lyra2, with the defaults in parentheses.  In every field 0
 * means the default for the version.  Start with lyra2_params_init(), for later
 * releases will take new fields from reserved.
 */
struct lyra2_params {
	uint32_t version;	/* 25 or 30 (30) */
	uint32_t sponge;	/* (LYRA2_BLAMKA; in version 25, which has no
				 * BlaMka, LYRA2_BLAKE2B) */
	uint32_t rotation;	/* bits: 128 or 256 (128) */
	uint32_t t_cost;	/* passes of wandering, 1... (2) */
	uint32_t rows;		/* 3*lanes... (4096) */
	uint32_t cols;		/* blocks in a row, 1... (256) */
	uint32_t lanes;		/* 1... (4, but version 25 has only 1) */
	uint32_t block_words;	/* 8, 10 or 12 (12) */
	uint32_t rho;		/* reduced rounds: 1...12, half: 1...24 (1) */
	uint32_t outer;		/* outer hash, only of strings
				 * (LYRA2_NO_OUTER) */
	uint32_t reserved[6];	/* 0 */
};

/*
 * Returns the release of the library at run time, in the same form as
 * LYRA2_LIBRARY_VERSION, the release of the header at compile time.
 */
LYRA2_API uint32_t lyra2_library_version(void);

/* Returns a constant text for a value of errno that a function here set. */
LYRA2_API const char *lyra2_strerror(int error);

/*
 * Sets *params to the defaults.  Fields whose default depends on the version
 * are 0, so that version can be set alone.
 */
LYRA2_API void lyra2_params_init(struct lyra2_params *params)
	LYRA2_NONNULL(1);

/* Replaces each 0 in *params by what it means. */
LYRA2_API void lyra2_params_fill(struct lyra2_params *params)
	LYRA2_NONNULL(1);

/* Returns the rows of cost number n, 2^n, or 0 if there is no such cost. */
LYRA2_API uint32_t lyra2_cost_rows(unsigned long n) LYRA2_CHECKED;

/*
 * Return the name that programs and configuration files use for a version,
 * "2.5" or "3", a sponge, "blake2b", "blamka" or "half-blamka", and an outer
 * hash, "none" or "bash256"; NULL for any other number.
 */
LYRA2_API const char *lyra2_version_name(uint32_t version);
LYRA2_API const char *lyra2_sponge_name(uint32_t sponge);
LYRA2_API const char *lyra2_outer_name(uint32_t outer);

/*
 * Check *params for lyra2_kdf(), which has no outer hash, and for a string,
 * which has blamka or blake2b, rotation 128, block_words 12, rho 1 and costs
 * within the limits above.  If params are refused and why is not NULL, a
 * sentence with the field, its value and the range is written to why, at most
 * whysize bytes; otherwise why is left unchanged.  EINVAL, EDOM.
 */
LYRA2_API int lyra2_check(const struct lyra2_params *params, char *why,
			  size_t whysize) LYRA2_CHECKED;
LYRA2_API int lyra2_check_string(const struct lyra2_params *params, char *why,
				 size_t whysize) LYRA2_CHECKED;

/*
 * Returns the bytes that the matrix and the lanes take, or 0 with errno
 * EINVAL if params are out of their ranges.
 */
LYRA2_API uint64_t lyra2_memory(const struct lyra2_params *params);

/*
 * Returns (t_cost + 1) * rows * (cols + 8), at most 2^64-1, which grows in
 * proportion to the time of a hash; short rows cost more for each block.
 * Returns 0 with errno EINVAL if params are out of their ranges.
 */
LYRA2_API uint64_t lyra2_work(const struct lyra2_params *params);

/*
 * Reads a setting or a hash, "$lyra2$v=30$t=2$r=4096$c=256$p=4$<salt>" and
 * perhaps "$<hash>", into *params.  Returns 0 for a hash; 1 for a setting,
 * which is no hash to store; or -1 with *params unchanged.  Unless it returns
 * 0, the reason is written to why as in lyra2_check().
 * EINVAL, EDOM.
 */
LYRA2_API int lyra2_parse(const char *string, struct lyra2_params *params,
			  char *why, size_t whysize)
	LYRA2_CHECKED LYRA2_NONNULL(1, 2);

/*
 * Returns a context, which keeps its memory, wiped, from one hash to the next;
 * free it with lyra2_ctx_free().  Returns NULL with errno ENOMEM on failure.
 * Where a function takes a context, NULL means: map, wipe and unmap the memory
 * in the call.
 */
LYRA2_API struct lyra2_ctx *lyra2_ctx_new(void) LYRA2_CHECKED;

/* Frees a context, or does nothing for NULL.  Keeps errno. */
LYRA2_API void lyra2_ctx_free(struct lyra2_ctx *ctx);

/*
 * Makes ctx refuse strings (EDOM) above these values of lyra2_memory() and
 * lyra2_work().  0, or a value above the limit for all strings, means that
 * limit.
 */
LYRA2_API void lyra2_ctx_set_limits(struct lyra2_ctx *ctx, uint64_t memory,
				    uint64_t work) LYRA2_NONNULL(1);

/*
 * Computes the raw function: keylen bytes of key, 1...2^32-1, from a password
 * and a salt of 0...2^32-1 bytes each; NULL is allowed for a length of 0.  key
 * may overlap both.  There is no limit on the cost.  On error key is left
 * unchanged.  EINVAL, ENOMEM, ENOTSUP.
 */
LYRA2_API int lyra2_kdf(struct lyra2_ctx *ctx,
			const struct lyra2_params *params,
			const void *password, size_t passwordlen,
			const void *salt, size_t saltlen, void *key,
			size_t keylen) LYRA2_CHECKED;

/*
 * Writes a setting for new hashes to out: *params and, as salt, nrbytes random
 * bytes in base64, LYRA2_MIN_RANDOM...LYRA2_MAX_RANDOM of them.  If rbytes is
 * NULL, getrandom(2) gives LYRA2_NEW_RANDOM bytes.  LYRA2_MAX_STRING is
 * always enough for outsize.  On error out is an empty string, unless outsize
 * is 0.  EINVAL, EDOM, ERANGE, or what getrandom(2) sets.
 */
LYRA2_API int lyra2_gensalt(const struct lyra2_params *params,
			    const void *rbytes, size_t nrbytes, char *out,
			    size_t outsize) LYRA2_CHECKED;

/*
 * Does what crypt(3) does: hashes a password of 0...LYRA2_MAX_PASSWORD bytes
 * under a setting, or under an earlier hash, whose hash part is ignored, and
 * writes the setting, "$" and LYRA2_HASH_BYTES of hash in base64 to out, which
 * may be where setting or password is.  On error out is an empty string, unless
 * outsize is 0.  EINVAL, EMSGSIZE, EDOM, ERANGE, ENOMEM, ENOTSUP.
 */
LYRA2_API int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
			  const void *password, size_t passwordlen, char *out,
			  size_t outsize) LYRA2_CHECKED LYRA2_NONNULL(2);

/* Calls lyra2_gensalt(), with random bytes, then lyra2_crypt(). */
LYRA2_API int lyra2_hash(struct lyra2_ctx *ctx,
			 const struct lyra2_params *params,
			 const void *password, size_t passwordlen, char *out,
			 size_t outsize) LYRA2_CHECKED;

/*
 * Compares a password with a hash, in constant time.  Returns 0 only if the
 * password is right, 1 if it is wrong, or -1: anything but 0 is a no.  EINVAL,
 * EMSGSIZE, EDOM, ENOMEM, ENOTSUP.
 */
LYRA2_API int lyra2_verify(struct lyra2_ctx *ctx, const char *hash,
			   const void *password, size_t passwordlen)
	LYRA2_CHECKED LYRA2_NONNULL(2);

/*
 * Returns 1 if a hash has parameters other than *params or a salt of fewer than
 * LYRA2_NEW_SALT characters; 0 if not; or -1, also for a setting.  EINVAL,
 * EDOM.
 */
LYRA2_API int lyra2_needs_rehash(const char *hash,
				 const struct lyra2_params *params)
	LYRA2_CHECKED LYRA2_NONNULL(1);

#ifdef __cplusplus
}
#endif
#endif
