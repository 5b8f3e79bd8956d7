/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of the matrix: mapped, wiped, unmapped. */
#ifndef LYRA2_MATRIX_H
#define LYRA2_MATRIX_H

#include "core.h"

struct matrix {
	void *base;	/* NULL: nothing is mapped */
	size_t size;	/* bytes mapped */
};

/*
 * Makes m hold at least size bytes of undefined content.  Keeps m's mapping if
 * that is large enough.  Fails with errno ENOMEM, and then m is empty.
 */
LYRA2_INTERNAL int matrix_map(struct matrix *m, size_t size);

/* Wipes bytes 0 to used - 1; the mapping stays. */
LYRA2_INTERNAL void matrix_wipe(struct matrix *m, size_t used);

/* Unmaps the memory, which must have been wiped.  Keeps errno. */
LYRA2_INTERNAL void matrix_unmap(struct matrix *m);

#endif
