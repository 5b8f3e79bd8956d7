/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Test vectors for the password "password" and the salt "saltsalt", with 20
 * rows and one pass.  Fewer rows would not reach every phase, or would not tell
 * the windows of versions 2.5 and 3 apart.  With a power of two as the number
 * of columns, a kernel has other loops.  The vectors are from
 * doc/spec/lyra2.py, which shares no code with the library.
 */
#include "selftest.h"

#include <assert.h>
#include <string.h>

#include "params.h"
#include "wipe.h"

enum { ROWS = 20, COLS = 4, LANES = 4, WORDS = 12, KEY = 16 };

static const struct {
	uint32_t version, sponge, lanes, cols, rotation;
	uint8_t key[KEY];
} answers[] = {
	{ 25, LYRA2_BLAKE2B, 1, 4, 128,
	  { 0xad, 0xe7, 0xde, 0xc5, 0x41, 0xa5, 0xd1, 0x3d, 0xc7,
	    0xfe, 0xa3, 0x39, 0xf4, 0xad, 0x9b, 0xb7 } },
	{ 25, LYRA2_BLAKE2B, 1, 4, 256,
	  { 0x4e, 0x47, 0x16, 0x3d, 0x00, 0x8c, 0x05, 0xb9, 0x4d,
	    0x7a, 0xba, 0x21, 0x43, 0xde, 0x57, 0x53 } },
	{ 30, LYRA2_BLAKE2B, 1, 4, 128,
	  { 0xab, 0xaf, 0x6d, 0x76, 0xb4, 0x1f, 0x9c, 0x3f, 0x1b,
	    0xf6, 0x44, 0x52, 0xcd, 0x8b, 0x20, 0x0d } },
	{ 30, LYRA2_BLAMKA, 1, 4, 128,
	  { 0x07, 0xd6, 0x22, 0xd6, 0x68, 0x6b, 0x67, 0x92, 0xa1,
	    0xf4, 0x43, 0x60, 0xad, 0xa2, 0x59, 0x48 } },
	{ 30, LYRA2_BLAMKA, 2, 4, 128,
	  { 0x41, 0x04, 0x10, 0x14, 0xc3, 0x98, 0x4b, 0xbc, 0x40,
	    0xc4, 0x6a, 0xa8, 0x93, 0x22, 0x67, 0xbb } },
	{ 30, LYRA2_BLAMKA, 4, 4, 128,
	  { 0x17, 0x85, 0xbc, 0x18, 0xf9, 0x50, 0x7b, 0xc1, 0x7b,
	    0x66, 0x3a, 0x3d, 0xa3, 0x01, 0xf7, 0xe6 } },
	{ 30, LYRA2_BLAMKA, 2, 3, 128,
	  { 0x62, 0x2d, 0xbf, 0xfb, 0x38, 0xa6, 0x44, 0x8e, 0xd8,
	    0x13, 0x72, 0x53, 0xb4, 0xe4, 0x1e, 0x48 } },
};

static_assert(ROWS * COLS * WORDS * 8 + LANES * LYRA2_LANE_BYTES <=
	      SELFTEST_BYTES, "memory for the self test");

int selftest(lyra2_core_fn *core, void *memory)
{
	const size_t matrix = ROWS * COLS * WORDS * 8;
	uint8_t key[KEY];
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct lyra2_job job = {
			.params = {
				.version = answers[i].version,
				.sponge = answers[i].sponge,
				.t_cost = 1,
				.rows = ROWS,
				.cols = answers[i].cols,
				.lanes = answers[i].lanes,
			},
			.rotation = answers[i].rotation,
			.password = (const uint8_t *)"password",
			.passwordlen = 8,
			.salt = (const uint8_t *)"saltsalt",
			.saltlen = 8,
			.matrix = memory,
			.lanes = (uint8_t *)memory + matrix,
			.key = key,
			.keylen = sizeof(key),
		};

		core(&job);
		if (memcmp(key, answers[i].key, sizeof(key)) != 0)
			break;
	}
	lyra2_wipe(memory, SELFTEST_BYTES);
	return i == sizeof(answers) / sizeof(answers[0]);
}
