/* SPDX-License-Identifier: BSD-2-Clause */
/* Logic of three rows, for kernels that have no instruction for it. */

/* c is ready last: the sum of the others must not wait for it. */
CORE row row_xor3(row a, row b, row c)
{
	return row_xor(row_fix(row_xor(a, b)), c);
}

/* a ^ (b & c) */
CORE row row_xor_and(row a, row b, row c)
{
	return row_xor(a, row_and(b, c));
}

/* a ^ (b | c) */
CORE row row_xor_or(row a, row b, row c)
{
	return row_xor(a, row_or(b, c));
}

/* a ^ (~b & c) */
CORE row row_xor_andn(row a, row b, row c)
{
	return row_xor(a, row_andn(b, c));
}
