/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel in AVX-512, with two lanes in a register.  It computes the hashes
 * that most strings name, see fits_pairs(), and calls the kernel in AVX-512VL
 * for all others.
 */
#define CORE_KERNEL lyra2_core_avx512
#define CORE_TARGET __attribute__((target( \
	"avx2,avx512f,avx512vl,avx512dq,avx512bw,avx512vbmi,bmi2")))
#define CORE_LANES 4
#include "core-kernel.h"
#if defined(__x86_64__) || defined(__i386__)
#include "row-avx512vl.h"
#include "row-zmm.h"
#include "core-variants.h"
#include "core-body.h"

LYRA2_INTERNAL lyra2_core_fn CORE_KERNEL, lyra2_core_avx512vl;

CORE bool fits_pairs(const struct lyra2_job *job)
{
	const struct lyra2_params *p = &job->params;
	const struct lyra2_variant *v = &job->variant;

	return p->sponge == LYRA2_BLAMKA && p->lanes % 2 == 0 &&
	       modulus(p->cols).mask != 0 && v->rotation == 128 &&
	       v->block_words == 12 && v->rho == 1;
}

CORE_ENTRY void CORE_KERNEL(const struct lyra2_job *job)
{
	const struct shape k = { 30, LYRA2_BLAMKA, 128, 12, 1, false, true };

	if (!fits_pairs(job)) {
		lyra2_core_avx512vl(job);
		return;
	}
	begin(k, job);
	wander_together(k, job, job->lanes, setup(k, job));
	wrap_up(k, job);
}
#endif
