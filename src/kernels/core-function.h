/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The function that a kernel computes, and the name of its entry.  The build
 * compiles each kernel four times, see Makefile.am: for version 3 with BlaMka,
 * and with CORE_VERSION and CORE_ROTATION for BLAKE2b's three: version 2.5 with
 * rotation 128 and 256, and version 3.  So what differs is constant in the
 * loops.
 */
#ifdef CORE_VERSION
#include "core-blake2b.h"
#if CORE_VERSION == 25	/* has one lane: less to compile */
#undef CORE_LANES
#define CORE_LANES 1
#endif
#define CORE_JOIN(version, rotation, set) \
	lyra2_blake2b_##version##_##rotation##_##set
#define CORE_NAME(version, rotation, set) CORE_JOIN(version, rotation, set)
#define CORE_KERNEL CORE_NAME(CORE_VERSION, CORE_ROTATION, CORE_SET)
#else
#include "core-blamka.h"
#define CORE_JOIN(set) lyra2_blamka_##set
#define CORE_NAME(set) CORE_JOIN(set)
#define CORE_KERNEL CORE_NAME(CORE_SET)
#endif

LYRA2_INTERNAL lyra2_core_fn CORE_KERNEL;
