/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Password hashing with Lyra2: the interface of liblyra2.  lyra2(3) explains it
 * with examples, lyra2(5) describes the strings.
 *
 * Functions of type int return 0, or -1 with one of these values of errno:
 *   EACCES    wrong password              EDOM     string too costly
 *   ESTALE    hash weaker than wanted     ERANGE   output buffer too small
 *   EINVAL    out of range, or malformed  ENOMEM   memory is not available
 *   EMSGSIZE  password too long           ENOTSUP  code fails its self test
 *   EILSEQ    password has a byte of 0    EIO      no random bytes
 * Threads may call all functions at once, with different contexts and output
 * buffers.  Signal handlers must call none.  All wipe their copies of secrets.
 */
#ifndef LYRA2_H
#define LYRA2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LYRA2_API __attribute__((visibility("default")))
#define LYRA2_CHECKED __attribute__((warn_unused_result))

/* Limits on strings, which may come from an untrusted source */
#define LYRA2_MAX_PASSWORD 511	/* bytes */
#define LYRA2_MAX_STRING 160	/* bytes, with the NUL: enough for every hash */
#define LYRA2_MAX_MEMORY (UINT64_C(1) << 30)	/* lyra2_memory() */
#define LYRA2_MAX_WORK (UINT64_C(1) << 28)	/* lyra2_work() */
#define LYRA2_MIN_COST 4	/* cost n: 2^n rows */
#define LYRA2_MAX_COST 15

enum lyra2_sponge { LYRA2_BLAKE2B = 1, LYRA2_BLAMKA = 2 };

/* $lyra2$; and $bashlyra2$, whose result goes through HMAC-bash256, too */
enum lyra2_method { LYRA2_METHOD_LYRA2 = 1, LYRA2_METHOD_BASH_LYRA2 = 2 };

struct lyra2_params {
	uint32_t version;	/* 30; or 25, version 2.5 */
	uint32_t sponge;	/* version 2.5 has only LYRA2_BLAKE2B */
	uint32_t t_cost;	/* passes over the memory, 1... */
	uint32_t rows;		/* 3 * lanes... */
	uint32_t cols;		/* blocks of 96 bytes in a row, 1... */
	uint32_t lanes;		/* 1...; in version 2.5 only 1 */
	uint32_t reserved[10];	/* 0, which will always mean what it does now */
};
#define LYRA2_PARAMS_INIT { 0, 0, 0, 0, 0, 0, { 0 } }

/* For keys: a set that no release will change.  96 MiB. */
#define LYRA2_V3_BLAMKA_T2_R4096_C256_P2 \
	{ 30, LYRA2_BLAMKA, 2, 4096, 256, 2, { 0 } }

/* The field that was refused.  New values are added at the end. */
enum lyra2_field {
	LYRA2_FIELD_NONE = 0, LYRA2_FIELD_VERSION = 1, LYRA2_FIELD_SPONGE = 2,
	LYRA2_FIELD_T_COST = 3, LYRA2_FIELD_ROWS = 4, LYRA2_FIELD_COLS = 5,
	LYRA2_FIELD_LANES = 6, LYRA2_FIELD_RESERVED = 7,
	LYRA2_FIELD_MEMORY = 8, LYRA2_FIELD_WORK = 9, LYRA2_FIELD_METHOD = 10,
	LYRA2_FIELD_SALT = 11, LYRA2_FIELD_HASH = 12
};

/* Why a field was refused.  Unchanged if nothing was refused. */
struct lyra2_reason {
	uint32_t field;
	char text[124];
};

/* Returns a constant text for a value of errno that a function here set. */
LYRA2_API const char *lyra2_strerror(int error);

/* This release's parameters for new strings, which record them; keys do not. */
LYRA2_API void lyra2_params_default(struct lyra2_params *params);

/*
 * Check *params for lyra2_kdf(), and for a string.  A string has version 30,
 * LYRA2_BLAMKA, t_cost of 2 or more, 2^4 to 2^15 rows, 12 to 4096 cols, 1, 2
 * or 4 lanes, costs within the limits above.  reason may be NULL everywhere.
 */
LYRA2_API int lyra2_check(const struct lyra2_params *params,
			  struct lyra2_reason *reason) LYRA2_CHECKED;
LYRA2_API int lyra2_check_string(const struct lyra2_params *params,
				 struct lyra2_reason *reason) LYRA2_CHECKED;

/*
 * The bytes that a hash takes, and (t_cost + 1) * rows * (cols + 8), to which
 * its time is proportional.  UINT64_MAX for what lyra2_check() refuses.
 */
LYRA2_API uint64_t lyra2_memory(const struct lyra2_params *params);
LYRA2_API uint64_t lyra2_work(const struct lyra2_params *params);

/* Reads a whole hash.  On error only *reason changes. */
LYRA2_API int lyra2_parse(const char *hash, uint32_t *method,
			  struct lyra2_params *params,
			  struct lyra2_reason *reason) LYRA2_CHECKED;

/*
 * A context keeps its wiped memory from one hash to the next.  If a function's
 * ctx is NULL, it maps, wipes and unmaps its own memory.  lyra2_ctx_new()
 * returns NULL with ENOMEM if it fails.
 */
LYRA2_API struct lyra2_ctx *lyra2_ctx_new(void) LYRA2_CHECKED;
LYRA2_API void lyra2_ctx_free(struct lyra2_ctx *ctx);

/*
 * Computes a key of 1...2^32-1 bytes.  password and salt have any length below
 * 2^32.  key may overlap both.  On error key is unchanged.
 */
LYRA2_API int lyra2_kdf(struct lyra2_ctx *ctx,
			const struct lyra2_params *params,
			const void *password, size_t passwordlen,
			const void *salt, size_t saltlen, void *key,
			size_t keylen) LYRA2_CHECKED;

/*
 * These write a string to out, or an empty one on error; params NULL means the
 * defaults.  gensalt: a setting, a string without hash, with a salt of 6...48
 * random bytes (rbytes NULL: 16 of the system's).  crypt: as crypt(3), under a
 * setting or a hash; out may be where they are.  hash: both in one.
 */
LYRA2_API int lyra2_gensalt(uint32_t method, const struct lyra2_params *params,
			    const void *rbytes, size_t nrbytes, char *out,
			    size_t outsize) LYRA2_CHECKED;
LYRA2_API int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
			  const void *password, size_t passwordlen, char *out,
			  size_t outsize) LYRA2_CHECKED;
LYRA2_API int lyra2_hash(struct lyra2_ctx *ctx, uint32_t method,
			 const struct lyra2_params *params,
			 const void *password, size_t passwordlen, char *out,
			 size_t outsize) LYRA2_CHECKED;

/* Returns 0 only if the password is correct.  Compares in constant time. */
LYRA2_API int lyra2_verify(struct lyra2_ctx *ctx, const char *hash,
			   const void *password,
			   size_t passwordlen) LYRA2_CHECKED;

/*
 * To be called after a correct password.  -1 with ESTALE: the hash is weaker
 * than method and *want (NULL: the defaults).  It has less of one of these, and
 * more of none: memory, outer hash, salt, memory * (t_cost + 1) / lanes.
 */
LYRA2_API int lyra2_needs_rehash(const char *hash, uint32_t method,
				 const struct lyra2_params *want) LYRA2_CHECKED;

#ifdef __cplusplus
}
#endif
#endif
