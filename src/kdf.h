/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes keys, also the hashes of strings. */
#ifndef LYRA2_KDF_H
#define LYRA2_KDF_H

#include "core.h"
#include "dispatch.h"

/* Computes a checked job.  Returns 0, or -1 with ENOMEM or ENOTSUP. */
LYRA2_INTERNAL int kdf_run(struct lyra2_ctx *ctx, struct lyra2_job *job);

/*
 * Returns the kernel of a context, or KERNELS, the automatic choice, if ctx is
 * NULL.
 */
LYRA2_INTERNAL enum kernel kdf_kernel(const struct lyra2_ctx *ctx);

/* Wipes the stack below the caller's frame, where a kernel has left data. */
LYRA2_INTERNAL void kdf_wipe_stack(void);

#endif
