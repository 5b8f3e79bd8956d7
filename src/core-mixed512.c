/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel that fills the matrix in AVX-512VL and wanders as mixed does.
 * Only wandering waits for the words that choose columns.  They are ready
 * sooner in general registers.
 */
#include "core.h"

#ifdef __x86_64__
LYRA2_KERNEL_ENTRY lyra2_core_fn lyra2_core_mixed512, lyra2_core_avx512vl;

void lyra2_core_mixed512(const struct lyra2_job *job)
{
	if (job->params.lanes > 1) {
		lyra2_core_avx512vl(job);
		return;
	}
	lyra2_fill_avx512vl(job);
	lyra2_finish_mixed(job);
}
#endif
