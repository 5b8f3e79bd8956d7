/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes keys: prepares context and memory, calls a kernel, and wipes. */
#include "kdf.h"

#include <errno.h>
#include <stdlib.h>

#include "matrix.h"
#include "params.h"
#include "selftest.h"
#include "wipe.h"

struct lyra2_ctx {
	struct matrix matrix;
	enum kernel kernel;	/* KERNELS: the automatic choice */
};

struct lyra2_ctx *lyra2_ctx_new(void)
{
	struct lyra2_ctx *ctx = calloc(1, sizeof(*ctx));

	if (!ctx)
		return NULL;
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

int lyra2_ctx_set_kernel(struct lyra2_ctx *ctx, const char *name)
{
	enum kernel k = name ? dispatch_find(name) : KERNELS;

	if (name && k == KERNELS)
		return -1;
	ctx->kernel = k;
	return 0;
}

enum kernel kdf_kernel(const struct lyra2_ctx *ctx)
{
	return ctx ? ctx->kernel : KERNELS;
}

/*
 * Wipes what a kernel left on the stack: this array lies where the frames of
 * the kernel were.  The largest kernel takes 2.5 KiB, or 4 KiB where its
 * functions are not inlined (gcc and clang, -fstack-usage).
 */
__attribute__((noinline)) void kdf_wipe_stack(void)
{
	uint8_t frame[8192];

	lyra2_wipe(frame, sizeof(frame));
}

/*
 * Sets *size to the bytes of the matrix and the lanes' states, and *lanes to
 * the offset of the states.  Returns -1 with ENOMEM if that is too much.
 */
static int job_size(const struct lyra2_job *job, size_t *lanes, size_t *size)
{
	const uint64_t matrix = (params_matrix(&job->params) + 63) &
				~(uint64_t)63;
	const uint64_t all = matrix +
			     (uint64_t)job->params.lanes * LYRA2_LANE_BYTES;

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

	if (job_size(job, &lanes, &size) < 0 ||
	    matrix_map(m, size > SELFTEST_BYTES ? size : SELFTEST_BYTES) < 0)
		return -1;
	core = dispatch_core(kernel, job->params.lanes, m->base);
	if (!core)
		return -1;
	job->matrix = m->base;
	job->lanes = (uint8_t *)m->base + lanes;
	core(job);
	kdf_wipe_stack();
	matrix_wipe(m, size);
	return 0;
}

int kdf_run(struct lyra2_ctx *ctx, struct lyra2_job *job)
{
	struct matrix own = { NULL, 0 };
	int r;

	if (ctx)
		return compute(&ctx->matrix, ctx->kernel, job);
	r = compute(&own, KERNELS, job);
	matrix_unmap(&own);
	return r;
}

int lyra2_kdf_rotation(struct lyra2_ctx *ctx, const struct lyra2_params *params,
		       uint32_t rotation, const void *password,
		       size_t passwordlen, const void *salt, size_t saltlen,
		       void *key, size_t keylen)
{
	struct lyra2_job job = {
		.rotation = rotation,
		.password = password,
		.passwordlen = passwordlen,
		.salt = salt,
		.saltlen = saltlen,
		.key = key,
		.keylen = keylen,
	};

	if (params_check(params, rotation, NULL) < 0)
		return -1;
	if (!key || keylen < 1 || keylen > UINT32_MAX ||
	    passwordlen > UINT32_MAX || saltlen > UINT32_MAX ||
	    (!password && passwordlen > 0) || (!salt && saltlen > 0)) {
		errno = EINVAL;
		return -1;
	}
	job.params = *params;
	return kdf_run(ctx, &job);
}

int lyra2_kdf(struct lyra2_ctx *ctx, const struct lyra2_params *params,
	      const void *password, size_t passwordlen, const void *salt,
	      size_t saltlen, void *key, size_t keylen)
{
	return lyra2_kdf_rotation(ctx, params, PARAMS_ROTATION, password,
				  passwordlen, salt, saltlen, key, keylen);
}
