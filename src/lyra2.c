/* SPDX-License-Identifier: BSD-2-Clause */
/* The public interface: in which order a hash is prepared and computed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "encode.h"
#include "entropy.h"
#include "matrix.h"
#include "outer.h"
#include "params.h"
#include "selftest.h"
#include "wipe.h"

uint32_t lyra2_library_version(void)
{
	return LYRA2_LIBRARY_VERSION;
}

const char *lyra2_strerror(int error)
{
	switch (error) {
	case 0:
		return "no error";
	case EINVAL:
		return "a parameter or argument is out of its range, or a "
		       "string is malformed";
	case EMSGSIZE:
		return "the password has more than 511 bytes";
	case EDOM:
		return "the string is too costly";
	case ERANGE:
		return "the output buffer is too small";
	case ENOMEM:
		return "not enough memory for these parameters";
	case ENOTSUP:
		return "the code for this CPU fails its self test";
	default:
		return "the system gave no random bytes";
	}
}

struct lyra2_ctx {
	struct matrix matrix;
	enum kernel kernel;	/* KERNELS: the automatic choice */
	uint64_t max_memory;	/* for strings */
	uint64_t max_work;
};

struct lyra2_ctx *lyra2_ctx_new(void)
{
	struct lyra2_ctx *ctx = calloc(1, sizeof(*ctx));

	if (!ctx)
		return NULL;
	ctx->kernel = KERNELS;
	lyra2_ctx_set_limits(ctx, 0, 0);
	return ctx;
}

static uint64_t lower_limit(uint64_t limit, uint64_t most)
{
	return limit > 0 && limit < most ? limit : most;
}

void lyra2_ctx_set_limits(struct lyra2_ctx *ctx, uint64_t memory,
			  uint64_t work)
{
	ctx->max_memory = lower_limit(memory, LYRA2_MAX_MEMORY);
	ctx->max_work = lower_limit(work, LYRA2_MAX_WORK);
}

void lyra2_ctx_free(struct lyra2_ctx *ctx)
{
	if (!ctx)
		return;
	matrix_unmap(&ctx->matrix);
	free(ctx);
}

int lyra2_ctx_set_kernel(struct lyra2_ctx *ctx, const char *name)
{
	enum kernel k = name ? dispatch_find(name) : KERNELS;

	if (name && k == KERNELS)
		return -1;
	ctx->kernel = k;
	return 0;
}

/*
 * Wipes what a kernel left on the stack: this array lies where the frames of
 * the kernel were.  The largest takes 1.8 KiB, and 5.9 KiB where functions of a
 * kernel are not inlined; in a small build 2.9 KiB (gcc and clang,
 * -fstack-usage).
 */
__attribute__((noinline)) static void wipe_stack(void)
{
#ifdef LYRA2_SMALL
	uint8_t frame[4096];
#else
	uint8_t frame[8192];
#endif

	lyra2_wipe(frame, sizeof(frame));
}

/* Bytes for the matrix and, at *lanes, the lanes' states behind it. */
static int job_size(const struct lyra2_params *p, size_t *lanes, size_t *size)
{
	const uint64_t matrix = (params_matrix(p) + 63) & ~(uint64_t)63;
	const uint64_t all = matrix + (uint64_t)p->lanes * LYRA2_LANE_BYTES;

	if (all > SIZE_MAX / 2) {
		errno = ENOMEM;
		return -1;
	}
	*lanes = (size_t)matrix;
	*size = (size_t)all;
	return 0;
}

static int compute(struct matrix *m, enum kernel kernel, struct lyra2_job *job)
{
	lyra2_core_fn *core;
	size_t lanes, size;

	if (job_size(&job->params, &lanes, &size) < 0 ||
	    matrix_map(m, size > SELFTEST_BYTES ? size : SELFTEST_BYTES) < 0)
		return -1;
	core = dispatch_core(kernel, job->params.lanes, job->params.sponge,
			     m->base);
	if (!core)
		return -1;
	job->matrix = m->base;
	job->lanes = (uint8_t *)m->base + lanes;
	core(job);
	wipe_stack();
	matrix_wipe(m, size);
	return 0;
}

/* Computes a job whose parameters and arguments have been checked. */
static int run(struct lyra2_ctx *ctx, struct lyra2_job *job)
{
	struct matrix own = { NULL, 0 };
	int r;

	if (ctx)
		return compute(&ctx->matrix, ctx->kernel, job);
	r = compute(&own, KERNELS, job);
	matrix_unmap(&own);
	return r;
}

int lyra2_kdf(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	      const void *password, size_t passwordlen, const void *salt,
	      size_t saltlen, void *key, size_t keylen)
{
	struct lyra2_job job = {
		.params = params_filled(params),
		.password = password,
		.passwordlen = passwordlen,
		.salt = salt,
		.saltlen = saltlen,
		.key = key,
		.keylen = keylen,
	};

	if (lyra2_check(params, NULL, 0) < 0)
		return -1;
	if (!key || keylen < 1 || keylen > UINT32_MAX ||
	    passwordlen > UINT32_MAX || saltlen > UINT32_MAX ||
	    (!password && passwordlen > 0) || (!salt && saltlen > 0)) {
		errno = EINVAL;
		return -1;
	}
	return run(ctx, &job);
}

/* lyra2_gensalt(), but the content of out is undefined on failure. */
static int gensalt(const struct lyra2_params *params, const uint8_t *rbytes,
		   size_t nrbytes, char *out, size_t outsize)
{
	uint8_t random[LYRA2_NEW_RANDOM];
	char salt[LYRA2_MAX_SALT + 1];
	struct lyra2_string s = {
		.params = params_filled(params), .salt = salt
	};

	if (lyra2_check_string(params, NULL, 0) < 0)
		return -1;
	if (!rbytes) {
		if (entropy_read(random, sizeof(random)) < 0)
			return -1;
		rbytes = random;
		nrbytes = sizeof(random);
	}
	if (nrbytes < LYRA2_MIN_RANDOM || nrbytes > LYRA2_MAX_RANDOM) {
		errno = EINVAL;
		return -1;
	}
	base64_encode(rbytes, nrbytes, salt);
	s.saltlen = strlen(salt);
	return string_encode(&s, out, outsize);
}

int lyra2_gensalt(const struct lyra2_params *params, const void *rbytes,
		  size_t nrbytes, char *out, size_t outsize)
{
	const int r = gensalt(params, rbytes, nrbytes, out, outsize);

	if (r < 0 && outsize > 0)
		out[0] = '\0';
	return r;
}

/* Computes the hash for a string that has been decoded. */
static int string_kdf(struct lyra2_ctx *ctx, const struct lyra2_string *s,
		      const void *password, size_t passwordlen,
		      uint8_t hash[LYRA2_HASH_BYTES])
{
	struct lyra2_job job = {
		.params = s->params,
		.password = password,
		.passwordlen = passwordlen,
		.salt = (const uint8_t *)s->salt,
		.saltlen = s->saltlen,
		.key = hash,
		.keylen = LYRA2_HASH_BYTES,
	};

	if (passwordlen > LYRA2_MAX_PASSWORD ||
	    (!password && passwordlen > 0)) {
		errno = password ? EMSGSIZE : EINVAL;
		return -1;
	}
	if (ctx && params_check_limits(&s->params, ctx->max_memory,
				       ctx->max_work, NULL, 0) < 0)
		return -1;
	if (run(ctx, &job) < 0)
		return -1;
	if (s->params.outer == LYRA2_NO_OUTER)
		return 0;
	if (outer_bash256(ctx ? ctx->kernel : KERNELS, s, password,
			  passwordlen, hash) < 0)
		return -1;
	wipe_stack();
	return 0;
}

int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
		const void *password, size_t passwordlen, char *out,
		size_t outsize)
{
	char digits[1 + LYRA2_HASH_BYTES * 4 / 3 + 2] = "$";
	struct lyra2_string s;
	uint8_t hash[LYRA2_HASH_BYTES];
	int r = -1;

	if (string_decode(setting, &s, NULL, 0) < 0)
		goto out;
	if (outsize < s.settinglen + sizeof(digits)) {
		errno = ERANGE;
		goto out;
	}
	if (string_kdf(ctx, &s, password, passwordlen, hash) < 0)
		goto out;
	base64_encode(hash, sizeof(hash), digits + 1);
	/* out may be where setting is. */
	memmove(out, setting, s.settinglen);
	memcpy(out + s.settinglen, digits, sizeof(digits));
	r = 0;
out:
	if (r < 0 && outsize > 0)
		out[0] = '\0';
	lyra2_wipe(hash, sizeof(hash));
	lyra2_wipe(digits, sizeof(digits));
	lyra2_wipe(&s, sizeof(s));
	return r;
}

int lyra2_hash(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	       const void *password, size_t passwordlen, char *out,
	       size_t outsize)
{
	char setting[LYRA2_MAX_STRING];

	if (lyra2_gensalt(params, NULL, 0, setting, sizeof(setting)) < 0) {
		if (outsize > 0)
			out[0] = '\0';
		return -1;
	}
	return lyra2_crypt(ctx, setting, password, passwordlen, out, outsize);
}

int lyra2_verify(struct lyra2_ctx *ctx, const char *hash,
		 const void *password, size_t passwordlen)
{
	struct lyra2_string s;
	uint8_t got[LYRA2_HASH_BYTES];
	int r = -1;

	if (string_decode_hash(hash, &s, NULL, 0) == 0 &&
	    string_kdf(ctx, &s, password, passwordlen, got) == 0)
		r = !lyra2_equal(got, s.hash, sizeof(got));
	lyra2_wipe(got, sizeof(got));
	lyra2_wipe(&s, sizeof(s));
	return r;
}

int lyra2_parse(const char *string, struct lyra2_params *params, char *why,
		size_t whysize)
{
	struct lyra2_string s;
	const int r = string_decode_hash(string, &s, why, whysize);

	if (r >= 0)
		*params = s.params;
	lyra2_wipe(&s, sizeof(s));
	return r;
}

int lyra2_needs_rehash(const char *hash, const struct lyra2_params *params)
{
	const struct lyra2_params p = params_filled(params);
	struct lyra2_string s;
	int r = string_decode_hash(hash, &s, NULL, 0) == 0 ? 0 : -1;

	if (r == 0)
		r = memcmp(&s.params, &p, sizeof(p)) != 0 ||
		    s.saltlen < LYRA2_NEW_SALT;
	lyra2_wipe(&s, sizeof(s));
	return r;
}
