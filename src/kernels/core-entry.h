/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines a kernel's entry function.  It runs the phases in turn, in loops that
 * are compiled for the shape of the hash.  A kernel includes this header last.
 */
#include "core-variants.h"
#include "core-body.h"

/* The job's shape, for loops that fit every hash: short code, not fast */
CORE struct shape shape_any(const struct lyra2_job *job)
{
	return (struct shape){ job->params.version, job->params.sponge,
			       job->variant.rotation, job->variant.block_words,
			       job->variant.rho, true,
			       modulus(job->params.cols).mask != 0 };
}

/* A shape that loops are compiled for */
CORE struct shape own(struct shape any, uint32_t sponge, uint32_t rotation,
		      bool masks)
{
	return (struct shape){ any.version, sponge, rotation, 12, 1, false,
			       masks };
}

/* Returns true if loops for the shape k compute hashes of the shape any. */
CORE bool fits(struct shape k, struct shape any)
{
	return any.sponge == k.sponge && any.rotation == k.rotation &&
	       any.words == k.words && any.rho == k.rho &&
	       any.masks == k.masks;
}

/*
 * Calls f for the first of these shapes that fits, or else for any.  With
 * BlaMka, loops are faster that know if the number of columns is a power of
 * two.
 */
#define SHAPED_AS(sponge, rotation, masks, any, f, ...) \
	fits(own(any, sponge, rotation, masks), any) ? \
		f(own(any, sponge, rotation, masks), __VA_ARGS__)
#define SHAPED(any, f, ...) ( \
	SHAPED_AS(LYRA2_BLAKE2B, 128, (any).masks, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_BLAKE2B, 256, (any).masks, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_BLAMKA, 128, true, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_BLAMKA, 128, false, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_HALF_BLAMKA, 128, (any).masks, any, f, __VA_ARGS__) : \
	f(any, __VA_ARGS__))

CORE_ONCE uint32_t setup_any(const struct lyra2_job *job)
{
	const struct shape any = shape_any(job);

	return SHAPED(any, setup, job);
}

/* Only version 2.5 has rotation 256, and version 2.5 has one lane. */
CORE void wander_shape(struct shape k, const struct lyra2_job *job,
		       uint32_t sqrt)
{
	if (k.rotation == 256 && job->params.lanes != 1)
		__builtin_unreachable();
	wander(k, job, sqrt);
}

CORE_ONCE void wander_any(const struct lyra2_job *job, uint32_t sqrt)
{
	const struct shape any = shape_any(job);

	SHAPED(any, wander_shape, job, sqrt);
}

#undef SHAPED
#undef SHAPED_AS

LYRA2_INTERNAL lyra2_core_fn CORE_KERNEL;

CORE_ENTRY void CORE_KERNEL(const struct lyra2_job *job)
{
	begin(shape_any(job), job);
	wander_any(job, setup_any(job));
	wrap_up(shape_any(job), job);
}
