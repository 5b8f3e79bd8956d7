/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads and stores words with their least significant byte first, on every CPU.
 */
#ifndef LYRA2_BYTES_H
#define LYRA2_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bytes_get64(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

static inline void bytes_put64(uint8_t *p, uint64_t w)
{
	w = htole64(w);
	memcpy(p, &w, sizeof(w));
}

#endif
