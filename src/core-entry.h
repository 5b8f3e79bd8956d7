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

/* The shape that loops are compiled for, of hashes that are strings. */
CORE struct shape own(uint32_t sponge)
{
	return (struct shape){ sponge, 128, 12, 1, UINT32_MAX,
			       CORE_LANES, false };
}

/* Whether there are loops for the shape k, and they compute the shape any. */
CORE bool fits(struct shape k, struct shape any)
{
	return CORE_OWN_SPONGES >> k.sponge & 1 && any.sponge == k.sponge &&
	       any.rotation == k.rotation && any.words == k.words &&
	       any.rho == k.rho && any.lanes <= k.lanes &&
	       (!CORE_ALL_AT_ONCE || any.lanes == 1 ||
		any.lanes % k.together == 0);
}

CORE_ONCE uint32_t fill_any(const struct lyra2_job *job)
{
	const struct shape any = CORE_ANY(&job->params);

	if (fits(own(LYRA2_BLAKE2B), any))
		return fill(own(LYRA2_BLAKE2B), job);
	if (fits(own(LYRA2_BLAMKA), any))
		return fill(own(LYRA2_BLAMKA), job);
	if (fits(own(LYRA2_HALF_BLAMKA), any))
		return fill(own(LYRA2_HALF_BLAMKA), job);
	return fill(any, job);
}

CORE_ONCE void finish_any(const struct lyra2_job *job, uint32_t sqrt)
{
	const struct shape any = CORE_ANY(&job->params);

	if (fits(own(LYRA2_BLAKE2B), any))
		finish(own(LYRA2_BLAKE2B), job, sqrt);
	else if (fits(own(LYRA2_BLAMKA), any))
		finish(own(LYRA2_BLAMKA), job, sqrt);
	else if (fits(own(LYRA2_HALF_BLAMKA), any))
		finish(own(LYRA2_HALF_BLAMKA), job, sqrt);
	else
		finish(any, job, sqrt);
}

LYRA2_KERNEL_ENTRY lyra2_core_fn CORE_KERNEL;

CORE_TARGET void CORE_KERNEL(const struct lyra2_job *job)
{
	finish_any(job, fill_any(job));
}
