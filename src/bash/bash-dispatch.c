/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses a kernel for Bash, and tests it before its first use. */
#include "bash-dispatch.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define KERNEL(name, needs) LYRA2_INTERNAL bash_blocks_fn bash_blocks_##name;
#include "kernels.def"

static bash_blocks_fn *bash_entry(enum kernel kernel)
{
#define KERNEL(name, needs) case KERNEL_##name: return bash_blocks_##name;
	switch (kernel) {
#include "kernels.def"
	default:
		return bash_blocks_plain;
	}
}

/*
 * Returns the first usable kernel of kernels.def, except SSE2 on x86-64.  SSE2
 * has no rotation.  Plain C has one, and 64-bit registers except on i386.
 * Nanoseconds for a byte of bash256 on Zen 5 at 4.2 GHz: avx512vl 0.75, avx2
 * 1.0, plain 1.4, sse2 2.6.
 */
static enum kernel bash_fastest(void)
{
	const enum kernel k = dispatch_widest();

#ifdef __x86_64__
	if (k == KERNEL_sse2)
		return KERNEL_plain;
#endif
	return k;
}

/*
 * Returns true if a kernel computes the hash of the 300 bytes 0, 1, 2...: two
 * blocks at once, and one with padding.  The hash is from doc/spec/lyra2.py.
 */
static bool bash_right(bash_blocks_fn *blocks)
{
	static const uint8_t want[BASH256] = {
		0x94, 0x67, 0x01, 0x36, 0xe4, 0xe3, 0xf7, 0x3b,
		0xc8, 0xec, 0x3d, 0x53, 0xdc, 0xc7, 0xf1, 0x16,
		0x4d, 0x5b, 0xa1, 0x7f, 0x71, 0x22, 0x78, 0x7b,
		0x36, 0xa3, 0x91, 0x52, 0x00, 0xdd, 0xe3, 0x05,
	};
	uint8_t in[300], got[BASH256];
	struct bash h;
	size_t i;

	for (i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)i;
	bash_start(&h, blocks);
	bash_add(&h, in, sizeof(in));
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
