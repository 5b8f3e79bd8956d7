/* SPDX-License-Identifier: BSD-2-Clause */
/* Logic of three rows, for kernels that have no instruction for it. */

/* c is ready last: the sum of the others must not wait for it. */
CORE vec vec_xor3(vec a, vec b, vec c)
{
	return vec_xor(vec_fix(vec_xor(a, b)), c);
}

/* a ^ (b & c) */
CORE vec vec_xor_and(vec a, vec b, vec c)
{
	return vec_xor(a, vec_and(b, c));
}

/* a ^ (b | c) */
CORE vec vec_xor_or(vec a, vec b, vec c)
{
	return vec_xor(a, vec_or(b, c));
}

/* a ^ (~b & c) */
CORE vec vec_xor_andn(vec a, vec b, vec c)
{
	return vec_xor(a, vec_andn(b, c));
}
