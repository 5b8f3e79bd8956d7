/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses a kernel for Bash, and tests it before its first use. */
#include "bash-dispatch.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* A build for which any speed will do defines BASH_PLAIN, for its size. */
#ifdef BASH_PLAIN
LYRA2_INTERNAL bash_blocks_fn bash_blocks_plain;

static bash_blocks_fn *bash_entry(enum kernel kernel)
{
	return kernel < KERNELS ? bash_blocks_plain : NULL;
}

static enum kernel bash_fastest(void)
{
	return KERNEL_plain;
}
#else
#define KERNEL(name, needs) LYRA2_INTERNAL bash_blocks_fn bash_blocks_##name;
#include "kernels.def"

static bash_blocks_fn *bash_entry(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return bash_blocks_##name;
	switch (kernel) {
#include "kernels.def"
	default:
		return NULL;
	}
}

/*
 * In the order of kernels.def, but that SSE2 has no rotation: plain C has one,
 * and 64-bit registers wherever it is not for i386.  Nanoseconds for a byte of
 * bash256 on Zen 5 at 4.2 GHz: avx512vl 0.75, avx2 1.0, plain 1.4, sse2 2.6,
 * vector 4.3.
 */
static enum kernel bash_fastest(void)
{
	enum kernel k = 0;

	while (!dispatch_usable(k))
		k++;
#ifdef __x86_64__
	if (k == KERNEL_sse2)
		return KERNEL_plain;
#endif
	return k;
}
#endif

/* Whether a kernel gives the standard's hash of no input (table A.3.1). */
static bool bash_right(bash_blocks_fn *blocks)
{
	static const uint8_t want[BASH256] = {
		0x11, 0x4c, 0x3d, 0xfa, 0xe3, 0x73, 0xd9, 0xbc,
		0xbc, 0x36, 0x02, 0xd6, 0x38, 0x6f, 0x2d, 0x6a,
		0x20, 0x59, 0xba, 0x1b, 0xf9, 0x04, 0x8d, 0xba,
		0xa5, 0x14, 0x6a, 0x6c, 0xb7, 0x75, 0x70, 0x9d,
	};
	uint8_t got[BASH256];
	struct bash h;

	bash_start(&h, BASH256, blocks);
	bash_end(&h, got);
	return memcmp(got, want, sizeof(got)) == 0;
}

bash_blocks_fn *bash_dispatch(enum kernel forced)
{
	static char passed[KERNELS];
	const enum kernel k = forced < KERNELS ? forced : bash_fastest();
	bash_blocks_fn *blocks = bash_entry(k);

	if (__atomic_load_n(&passed[k], __ATOMIC_RELAXED))
		return blocks;
	if (!bash_right(blocks)) {
		errno = ENOTSUP;
		return NULL;
	}
	__atomic_store_n(&passed[k], 1, __ATOMIC_RELAXED);
	return blocks;
}
