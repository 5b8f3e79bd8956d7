/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of lyra2 in portable C. */
#include "crypt-port.h"

#if INCLUDE_lyra2

#define CORE_TARGET
#define CORE_LANES 1
#include "core-kernel.h"
#include "row-plain.h"
#include "core-body.h"

CORE_TARGET void lyra2_core_plain(const struct lyra2_job *job)
{
	begin(job);
	wander(job, setup(job));
	wrap_up(job);
}

#endif
