/* SPDX-License-Identifier: BSD-2-Clause */
/* Random test cases that come back the same in every run. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), seeded by the caller. */
static inline uint64_t random_word(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* lo...hi, both included */
static inline uint32_t random_in(uint64_t *state, uint32_t lo, uint32_t hi)
{
	return lo + (uint32_t)(random_word(state) % (hi - lo + 1));
}

static inline void random_fill(uint64_t *state, void *p, size_t n)
{
	uint8_t *out = p;

	while (n-- > 0)
		*out++ = (uint8_t)random_word(state);
}

#endif
