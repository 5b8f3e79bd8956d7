/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions that a kernel shares: the phases in turn, in loops that are
 * compiled for the shape of the hash.  Included last.
 */

/* Fills the matrix.  Returns the paper's sqrt. */
CORE uint32_t fill(struct shape k, const struct lyra2_job *job)
{
	struct lane *lane = job->lanes;
	uint32_t i;

	for (i = 0; i < job->params.lanes; i++)
		begin(job, &lane[i], i);
	return setup(k, job, lane);
}

/*
 * Wanders and wraps up.  The key is cleared only now: it may be where password
 * or salt are.
 */
CORE void finish(struct shape k, const struct lyra2_job *job, uint32_t sqrt)
{
	const uint32_t lanes = job->params.lanes;
	struct lane *lane = job->lanes;
	uint32_t i;

	memset(job->key, 0, job->keylen);
	if (k.lanes == 1 || lanes == 1) {
		wrap_up(job, lane, wander_alone(k, job, lane));
		return;
	}
	wander_together(k, job, lane, sqrt);
	for (i = 0; i < lanes; i++)
		wrap_up(job, &lane[i], place(k, lane[i].sweep.row0,
					     modulus(job->params.cols), 0));
}

/* The shapes that loops are compiled for */
CORE struct shape own(uint32_t sponge, uint32_t rotation)
{
	return (struct shape){ sponge, rotation, 12, 1,
			       rotation == 128 ? UINT32_MAX : 1, CORE_LANES,
			       ROW_AHEAD, false };
}

/* Whether there are loops for the shape k, and they compute the shape any. */
CORE bool fits(struct shape k, struct shape any)
{
	if (!KERNELS_RAW)	/* one, two or four lanes, and constants */
		return any.sponge == k.sponge;
	return any.sponge == k.sponge && any.rotation == k.rotation &&
	       any.words == k.words && any.rho == k.rho &&
	       any.lanes <= k.lanes;
}

/* Calls f for the first of these shapes that fits, or else for any. */
#define SHAPED_AS(sponge, rotation, any, f, ...) \
	fits(own(sponge, rotation), any) ? f(own(sponge, rotation), __VA_ARGS__)
#define SHAPED(any, f, ...) ( \
	SHAPED_AS(LYRA2_BLAKE2B, 128, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_BLAKE2B, 256, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_BLAMKA, 128, any, f, __VA_ARGS__) : \
	SHAPED_AS(LYRA2_HALF_BLAMKA, 128, any, f, __VA_ARGS__) : \
	f(any, __VA_ARGS__))

CORE_ONCE uint32_t fill_any(const struct lyra2_job *job)
{
	const struct shape any = CORE_ANY(job);

	return SHAPED(any, fill, job);
}

CORE_ONCE void finish_any(const struct lyra2_job *job, uint32_t sqrt)
{
	const struct shape any = CORE_ANY(job);

	SHAPED(any, finish, job, sqrt);
}

#undef SHAPED
#undef SHAPED_AS

LYRA2_KERNEL_ENTRY lyra2_core_fn CORE_KERNEL;

CORE_TARGET void CORE_KERNEL(const struct lyra2_job *job)
{
	finish_any(job, fill_any(job));
}
