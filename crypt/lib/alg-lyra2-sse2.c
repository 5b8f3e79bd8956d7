/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 in SSE2. */
#include "crypt-port.h"

#ifdef LYRA2_X86

#define CORE_TARGET __attribute__((target("sse2")))
#define CORE_LANES 2
#include "alg-lyra2-kernel.h"
#include "alg-lyra2-row-sse2.h"
#include "alg-lyra2-body.h"

CORE_ENTRY void lyra2_core_sse2(const struct lyra2_job *job)
{
	const struct shape k = { false };

	begin(k, job);
	wander(k, job, setup(k, job));
	wrap_up(k, job);
}

#endif /* LYRA2_X86 */
