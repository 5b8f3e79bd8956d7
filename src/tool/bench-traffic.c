/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hash moves: blocks of the matrix read and written, counted from the
 * algorithm in "Lyra2: Efficient Password Hashing with High Security against
 * Time-Memory Trade-Offs" and, for version 3, its reference.
 *
 * For a column of	it reads		and writes
 *   row 0						row 0
 *   row 1		row 0				row 1
 *   row 2		row 1 (2.5: rows 0, 1)		row 2 (2.5: rows 0, 2)
 *   a later row	row1, prev0, prev1		row0, row1
 *   a visit		row0, row1, prev0, prev1	row0, row1
 *   a visit, lanes	row0, rowP, prev0		row0
 *
 * prev0 and prev1 are the rows of the step before: hardware that keeps two rows
 * (48 KiB at 256 columns) beside the sponge does not have to move them again.
 */
#include "bench-work.h"


static double bytes(const struct lyra2_params *p, double first, double filled,
		    double visited)
{
	const double lanes = p->lanes, rows = p->rows / p->lanes;
	const double visits = (double)p->t_cost * rows;
	const double columns = first + (rows - 3) * filled + visits * visited;

	return columns * lanes * p->cols * 8 * p->block_words;
}

double bench_traffic(const struct lyra2_params *p)
{
	return bytes(p, p->version == 25 ? 7 : 5, 5, p->lanes > 1 ? 4 : 6);
}

double bench_traffic_cached(const struct lyra2_params *p)
{
	return bytes(p, p->version == 25 ? 4 : 3, 3, p->lanes > 1 ? 3 : 4);
}
