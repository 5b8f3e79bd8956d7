/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of liblyra2, for this release's own tool and tests.  No kernel,
 * name or function here is promised to another program or release: this header
 * is not installed, and the library exports these as LYRA2_PRIVATE.
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
	LYRA2_CHECKED LYRA2_NONNULL(1);

/*
 * Returns the name of the kernel that is chosen on this CPU for *params, or for
 * the defaults if it is NULL.  Sets *why, unless why is NULL, to a constant
 * text: the reason of the choice.  On error returns NULL, with errno EINVAL,
 * and leaves *why unchanged.
 */
LYRA2_API const char *lyra2_kernel_for(const struct lyra2_params *params,
				       const char **why);

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
