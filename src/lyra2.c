/* SPDX-License-Identifier: BSD-2-Clause */
/* The public interface: in which order a hash is prepared and computed. */
#include "dispatch.h"
#include "encode.h"
#include "matrix.h"
#include "params.h"
#include "selftest.h"
#include "wipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct lyra2_ctx {
	struct matrix matrix;
	enum kernel kernel;	/* KERNELS: the automatic choice */
};

struct lyra2_ctx *lyra2_ctx_new(void)
{
	struct lyra2_ctx *ctx = calloc(1, sizeof(*ctx));

	if (ctx)
		ctx->kernel = KERNELS;
	return ctx;
}

void lyra2_ctx_free(struct lyra2_ctx *ctx)
{
	if (!ctx)
		return;
	matrix_unmap(&ctx->matrix);
	free(ctx);
}

/* The usable kernel of that name, or KERNELS with errno ENOTSUP. */
static enum kernel find_kernel(const char *name)
{
	enum kernel k;

	for (k = 0; k < KERNELS; k++)
		if (strcmp(kernel_name(k), name) == 0 && kernel_usable(k))
			return k;
	errno = ENOTSUP;
	return KERNELS;
}

int lyra2_ctx_kernel(struct lyra2_ctx *ctx, const char *name)
{
	enum kernel k = name ? find_kernel(name) : KERNELS;

	if (name && k == KERNELS)
		return -1;
	ctx->kernel = k;
	return 0;
}

/* What LYRA2_KERNEL asks for, else the automatic choice. */
static enum kernel current_kernel(uint32_t lanes)
{
	const char *name = secure_getenv("LYRA2_KERNEL");

	if (name)
		return find_kernel(name);
	return lanes > 1 ? kernel_lanes() : kernel_auto();
}

const char *lyra2_kernel(void)
{
	const enum kernel k = current_kernel(1);

	return k < KERNELS ? kernel_name(k) : NULL;
}

const char *lyra2_kernel_at(size_t i, int *usable)
{
	const enum kernel best = kernel_auto();
	enum kernel k;

	if (i >= KERNELS)
		return NULL;
	/* The choice comes first; those before it move up by one. */
	k = i == 0 ? best : (enum kernel)(i <= (size_t)best ? i - 1 : i);
	if (usable)
		*usable = kernel_usable(k);
	return kernel_name(k);
}

/*
 * Called and not pointed to: where a shared object is linked for arm64, the
 * address of a hidden ifunc cannot be taken (binutils 2.40).
 */
static void automatic_core(const struct lyra2_job *job)
{
	lyra2_core(job);
}

/* The entry of a kernel that has passed its self test in this process. */
static lyra2_core_fn *trusted_core(enum kernel forced, uint32_t lanes)
{
	static char passed[KERNELS];
	const enum kernel k = forced < KERNELS ? forced :
						 current_kernel(lanes);
	lyra2_core_fn *core;

	if (k >= KERNELS)
		return NULL;
	core = k == kernel_auto() ? automatic_core : kernel_core(k);
	if (__atomic_load_n(&passed[k], __ATOMIC_RELAXED))
		return core;
	if (!selftest(core)) {
		errno = ENOTSUP;
		return NULL;
	}
	__atomic_store_n(&passed[k], 1, __ATOMIC_RELAXED);
	return core;
}

/* What a kernel leaves on the stack: its frames lie where this array does. */
__attribute__((noinline)) static void wipe_stack(void)
{
	uint8_t frame[4096];

	lyra2_wipe(frame, sizeof(frame));
}

/* Bytes to map for the matrix and, at *lanes, the lanes' states behind it. */
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
	lyra2_core_fn *core = trusted_core(kernel, job->params.lanes);
	size_t lanes, size;

	if (!core || job_size(&job->params, &lanes, &size) < 0 ||
	    matrix_map(m, size) < 0)
		return -1;
	job->matrix = m->base;
	job->lanes = (uint8_t *)m->base + lanes;
	core(job);
	wipe_stack();
	matrix_wipe(m, size);
	return 0;
}

int lyra2_kdf(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	      const void *password, size_t passwordlen, const void *salt,
	      size_t saltlen, void *key, size_t keylen)
{
	struct lyra2_job job = {
		.password = password,
		.passwordlen = passwordlen,
		.salt = salt,
		.saltlen = saltlen,
		.key = key,
		.keylen = keylen,
	};
	struct matrix own = { NULL, 0 };
	int r;

	if (lyra2_check(params, NULL, 0) < 0)
		return -1;
	if (!key || keylen < 1 || keylen > UINT32_MAX ||
	    passwordlen > UINT32_MAX || saltlen > UINT32_MAX ||
	    (!password && passwordlen > 0) || (!salt && saltlen > 0)) {
		errno = EINVAL;
		return -1;
	}
	job.params = *params;
	if (ctx)
		return compute(&ctx->matrix, ctx->kernel, &job);
	r = compute(&own, KERNELS, &job);
	matrix_unmap(&own);
	return r;
}

static int random_bytes(uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t got = getrandom(p, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		p += got;
		n -= (size_t)got;
	}
	return 0;
}

int lyra2_gensalt(const struct lyra2_params *params, const void *salt,
		  size_t saltlen, char *out, size_t outsize)
{
	struct lyra2_string s = { .saltlen = salt ? saltlen : SALT_NEW };

	if (params)
		s.params = *params;
	else
		lyra2_params_init(&s.params);
	if (lyra2_check_string(&s.params, NULL, 0) < 0)
		return -1;
	if (s.saltlen < SALT_MIN || s.saltlen > SALT_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (salt)
		memcpy(s.salt, salt, s.saltlen);
	else if (random_bytes(s.salt, s.saltlen) < 0)
		return -1;
	return string_encode(&s, out, outsize);
}

/* Computes hashlen bytes for a string that has been decoded. */
static int string_kdf(struct lyra2_ctx *ctx, const struct lyra2_string *s,
		      const void *password, size_t passwordlen, uint8_t *hash,
		      size_t hashlen)
{
	if (passwordlen > LYRA2_MAX_PASSWORD) {
		errno = ERANGE;
		return -1;
	}
	return lyra2_kdf(ctx, &s->params, password, passwordlen, s->salt,
			 s->saltlen, hash, hashlen);
}

int lyra2_crypt(struct lyra2_ctx *ctx, const char *setting,
		const void *password, size_t passwordlen, char *out,
		size_t outsize)
{
	char digits[HASH_NEW * 4 / 3 + 2];
	struct lyra2_string s;
	uint8_t hash[HASH_NEW];
	int r = -1;

	if (string_decode(setting, &s, NULL, 0) < 0)
		goto out;
	if (outsize < s.settinglen + sizeof(digits)) {
		errno = ERANGE;
		goto out;
	}
	if (string_kdf(ctx, &s, password, passwordlen, hash, sizeof(hash)) < 0)
		goto out;
	base64_encode(hash, sizeof(hash), digits);
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
	uint8_t got[HASH_MAX];
	int r = -1;

	if (string_decode(hash, &s, NULL, 0) < 0)
		goto out;
	if (s.hashlen == 0) {
		errno = EINVAL;
		goto out;
	}
	if (string_kdf(ctx, &s, password, passwordlen, got, s.hashlen) == 0)
		r = !lyra2_equal(got, s.hash, s.hashlen);
out:
	lyra2_wipe(got, sizeof(got));
	lyra2_wipe(&s, sizeof(s));
	return r;
}

int lyra2_parse(const char *string, struct lyra2_params *params, char *why,
		size_t whysize)
{
	struct lyra2_string s;
	int r = string_decode(string, &s, why, whysize);

	if (r == 0)
		*params = s.params;
	lyra2_wipe(&s, sizeof(s));
	return r;
}

static int same_params(const struct lyra2_params *x,
		       const struct lyra2_params *y)
{
	return x->version == y->version && x->sponge == y->sponge &&
	       x->rotation == y->rotation && x->t_cost == y->t_cost &&
	       x->rows == y->rows && x->cols == y->cols &&
	       x->lanes == y->lanes && x->block_words == y->block_words &&
	       x->rho == y->rho;
}

int lyra2_needs_rehash(const char *hash, const struct lyra2_params *params)
{
	struct lyra2_params defaults;
	struct lyra2_string s;
	int r = string_decode(hash, &s, NULL, 0);

	lyra2_params_init(&defaults);
	if (r == 0)
		r = !same_params(&s.params, params ? params : &defaults) ||
		    s.saltlen < SALT_NEW || s.hashlen != HASH_NEW;
	lyra2_wipe(&s, sizeof(s));
	return r;
}
