/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known answers of 20 rows of 3 columns, one pass, for the password "password"
 * and the salt "saltsalt": the smallest that reach every phase and the windows'
 * second rule.  From doc/spec/lyra2.py, which shares nothing with this.
 */
#include "selftest.h"

#include <assert.h>
#include <string.h>

#include "params.h"
#include "wipe.h"

enum { ROWS = 20, COLS = 3, LANES = 4, WORDS = 12, KEY = 16 };

static const struct {
	uint32_t version, sponge, lanes;
	uint8_t key[KEY];
} answers[] = {
	{ 25, LYRA2_BLAKE2B, 1,
	  { 0x80, 0x53, 0x1d, 0xe3, 0x0e, 0x17, 0xe4, 0x11, 0x37, 0x95,
	    0xca, 0x9e, 0xcc, 0xa8, 0x69, 0x16 } },
	{ 30, LYRA2_BLAKE2B, 1,
	  { 0x10, 0x81, 0x12, 0x23, 0xff, 0xfe, 0x82, 0x6c, 0x5f, 0x23,
	    0x8b, 0xa2, 0x97, 0x83, 0x3e, 0xcd } },
	{ 30, LYRA2_BLAMKA, 1,
	  { 0x0e, 0x89, 0xc1, 0xe1, 0x3f, 0x2d, 0xf4, 0x2a, 0x57, 0x77,
	    0x14, 0xf4, 0x72, 0x8e, 0x6f, 0x5d } },
	{ 30, LYRA2_BLAMKA, 2,
	  { 0x62, 0x2d, 0xbf, 0xfb, 0x38, 0xa6, 0x44, 0x8e, 0xd8, 0x13,
	    0x72, 0x53, 0xb4, 0xe4, 0x1e, 0x48 } },
	{ 30, LYRA2_BLAMKA, 4,
	  { 0xbc, 0x3c, 0x50, 0x1f, 0x10, 0xba, 0x2d, 0x15, 0xdb, 0x57,
	    0xd2, 0x97, 0xec, 0x9e, 0xaa, 0xe7 } },
	{ 30, LYRA2_HALF_BLAMKA, 1,
	  { 0x6d, 0xa1, 0x7f, 0x93, 0x59, 0x56, 0x00, 0x8b, 0x1b, 0x6d,
	    0x7f, 0x0e, 0x3a, 0xdd, 0x01, 0xb9 } },
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
				.cols = COLS,
				.lanes = answers[i].lanes,
			},
			.variant = params_variant,
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
