/* SPDX-License-Identifier: BSD-2-Clause */
/* Secrets: wiping them for good and comparing them in constant time. */
#ifndef LYRA2_WIPE_H
#define LYRA2_WIPE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * memset, and a barrier that makes the compiler believe that the memory is
 * read afterwards.  Used instead of explicit_bzero because it is inlined where
 * the size is known, as for the matrix, and because every libc has it.
 */
static inline void lyra2_wipe(void *p, size_t n)
{
	memset(p, 0, n);
	__asm__ __volatile__("" : : "r"(p) : "memory");
}

/* 1 if the n bytes are equal, else 0; the time depends on n only. */
static inline int lyra2_equal(const uint8_t *x, const uint8_t *y, size_t n)
{
	uint32_t d = 0;
	size_t i;

	for (i = 0; i < n; i++)
		d |= (uint32_t)(x[i] ^ y[i]);
	/* d is 0...255: only 0 borrows from bit 8 upwards. */
	return (int)((d - 1) >> 8 & 1);
}

#endif
