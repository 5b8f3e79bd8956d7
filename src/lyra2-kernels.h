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

/*
 * lyra2_kdf() with a rotation of 128 bits, which is lyra2_kdf()'s own, or 256.
 * Only version 2.5 has 256: a public build for AVX2 computes that.
 */
LYRA2_API int lyra2_kdf_rotation(struct lyra2_ctx *ctx,
				 const struct lyra2_params *params,
				 uint32_t rotation, const void *password,
				 size_t passwordlen, const void *salt,
				 size_t saltlen, void *key, size_t keylen)
	LYRA2_CHECKED;

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
