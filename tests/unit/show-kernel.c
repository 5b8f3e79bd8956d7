/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests/source/cross.sh: prints the chosen kernel.  With the name of a
 * kernel, prints that name, or "none" if this CPU cannot run the kernel.
 */
#include "lyra2-kernels.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();

	if (!ctx)
		return 1;
	if (argc < 2)
		puts(lyra2_kernel_for(2, NULL));
	else
		puts(lyra2_ctx_set_kernel(ctx, argv[1]) < 0 ? "none" : argv[1]);
	lyra2_ctx_free(ctx);
	return 0;
}
