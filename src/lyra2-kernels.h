/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of liblyra2, and functions that only test vectors need.  They are
 * for this release's own tool and tests.  Other programs and releases cannot
 * rely on them: this header is not installed, and the library exports the
 * functions as LYRA2_PRIVATE.
 */
#ifndef LYRA2_KERNELS_H
#define LYRA2_KERNELS_H

#include "lyra2.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes ctx use the kernel of that name; NULL restores the automatic choice.
 * On error returns -1, with errno ENOTSUP, and leaves ctx unchanged.
 */
LYRA2_API int lyra2_ctx_set_kernel(struct lyra2_ctx *ctx, const char *name)
	LYRA2_CHECKED;

/* Not in lyra2.h: this sponge, and the variants of doc/spec/algorithm */
enum { LYRA2_HALF_BLAMKA = 3 };

struct lyra2_variant {
	uint32_t rotation;	/* bits: 128; in version 2.5 also 256 */
	uint32_t block_words;	/* 8, 10 or 12 */
	uint32_t rho;		/* rounds: 1...12; half-BlaMka: 1...24 */
};

/* lyra2_kdf() of a variant; lyra2_kdf() itself computes { 128, 12, 1 }. */
LYRA2_API int lyra2_kdf_variant(struct lyra2_ctx *ctx,
				const struct lyra2_params *params,
				const struct lyra2_variant *variant,
				const void *password, size_t passwordlen,
				const void *salt, size_t saltlen, void *key,
				size_t keylen) LYRA2_CHECKED;

/*
 * Returns the name of the kernel that is chosen on this CPU for so many lanes.
 * Sets *why, unless why is NULL, to a constant text: the reason of the choice.
 */
LYRA2_API const char *lyra2_kernel_for(uint32_t lanes, const char **why);

/*
 * Returns the name of kernel i, the one for the defaults first, or NULL past
 * the last.  Sets *usable, unless usable is NULL, to 1 if this CPU can run it,
 * else 0.
 */
LYRA2_API const char *lyra2_kernel_at(size_t i, int *usable);

#ifdef __cplusplus
}
#endif
#endif
