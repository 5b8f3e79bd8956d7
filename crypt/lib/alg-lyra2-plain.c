/* SPDX-License-Identifier: BSD-2-Clause */
/* lyra2 in portable C. */
#include "crypt-port.h"

#ifdef LYRA2_PLAIN

#define CORE_TARGET
#define CORE_LANES 1
#include "alg-lyra2-kernel.h"
#include "alg-lyra2-row-plain.h"
#include "alg-lyra2-body.h"

CORE_ENTRY void lyra2_core_plain(const struct lyra2_job *job)
{
	const struct shape k = { false };

	begin(k, job);
	wander(k, job, setup(k, job));
	wrap_up(k, job);
}

#endif /* LYRA2_PLAIN */
