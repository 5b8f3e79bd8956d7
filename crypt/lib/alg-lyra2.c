/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes a lyra2 hash: chooses the implementation, allocates the memory. */
#include "crypt-port.h"

#ifdef LYRA2_PLAIN

#include "alg-lyra2.h"

#include <errno.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef LYRA2_X86
#include <cpuid.h>
#endif

/* From this size on, huge pages save more than their alignment costs. */
#define HUGE_FROM ((size_t)32 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

/* Not __builtin_cpu_supports(): that would cost each program at its start. */
static lyra2_core_fn *choose_core(void)
{
#ifdef LYRA2_C
#ifdef LYRA2_X86
	unsigned a, b, c, d;

	if (__get_cpuid(1, &a, &b, &c, &d) && (d & bit_SSE2))
		return lyra2_core_sse2;
#endif
	return lyra2_core_plain;
#else
	return lyra2_core_sse2;
#endif
}

NO_INLINE void lyra2_wipe_stack(void)
{
#ifdef __OPTIMIZE__
	uint8_t frame[2048];
#else
	uint8_t frame[4096];
#endif

	explicit_bzero(frame, sizeof(frame));
}

bool lyra2_compute(struct lyra2_job *job)
{
	const struct lyra2_params *p = &job->params;
	const size_t matrix = (size_t)p->rows * p->cols * LYRA2_BLOCK_BYTES;
	const size_t size = matrix + p->lanes * LYRA2_LANE_BYTES;
	const size_t align = size < HUGE_FROM ? 64 : HUGE_PAGE;
	uint8_t *memory = malloc(size + align), *base;

	if (!memory) {
		errno = ENOMEM;
		return false;
	}
	base = memory + (-(uintptr_t)memory & (align - 1));
#ifdef MADV_HUGEPAGE
	if (align == HUGE_PAGE)
		madvise(base, size, MADV_HUGEPAGE);
#endif
	job->matrix = (void *)base;
	job->lanes = base + matrix;
	choose_core()(job);
	lyra2_wipe_stack();
	explicit_bzero(base, size);
	free(memory);
	return true;
}

#endif /* LYRA2_PLAIN */
