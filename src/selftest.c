/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known answers of version 3, 20 rows of 3 columns, one pass, for the
 * password "password" and the salt "saltsalt": the smallest that reach every
 * phase and the window's second rule.  From an implementation in Python that
 * shares nothing with this one.
 */
#include "selftest.h"

#include <assert.h>
#include <string.h>

#include "wipe.h"

enum { ROWS = 20, COLS = 3, LANES = 4, WORDS = 12, KEY = 16 };

static const struct {
	uint32_t sponge, lanes;
	uint8_t key[KEY];
} answers[] = {
	{ LYRA2_BLAKE2B, 1, { 0x10, 0x81, 0x12, 0x23, 0xff, 0xfe, 0x82, 0x6c,
			      0x5f, 0x23, 0x8b, 0xa2, 0x97, 0x83, 0x3e, 0xcd }
	},
	{ LYRA2_BLAMKA, 1, { 0x0e, 0x89, 0xc1, 0xe1, 0x3f, 0x2d, 0xf4, 0x2a,
			     0x57, 0x77, 0x14, 0xf4, 0x72, 0x8e, 0x6f, 0x5d } },
	{ LYRA2_BLAMKA, 4, { 0xbc, 0x3c, 0x50, 0x1f, 0x10, 0xba, 0x2d,
			     0x15, 0xdb, 0x57, 0xd2, 0x97, 0xec, 0x9e,
			     0xaa, 0xe7 } },
#ifndef LYRA2_SMALL
	{ LYRA2_HALF_BLAMKA, 1, { 0x6d, 0xa1, 0x7f, 0x93, 0x59, 0x56, 0x00,
				  0x8b, 0x1b, 0x6d, 0x7f, 0x0e, 0x3a, 0xdd,
				  0x01, 0xb9 } },
#endif
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
			.password = (const uint8_t *)"password",
			.passwordlen = 8,
			.salt = (const uint8_t *)"saltsalt",
			.saltlen = 8,
			.matrix = memory,
			.lanes = (uint8_t *)memory + matrix,
			.key = key,
			.keylen = sizeof(key),
		};

		lyra2_params_init(&job.params);
		job.params.sponge = answers[i].sponge;
		job.params.lanes = answers[i].lanes;
		job.params.t_cost = 1;
		job.params.rows = ROWS;
		job.params.cols = COLS;
		core(&job);
		if (memcmp(key, answers[i].key, sizeof(key)) != 0)
			break;
	}
	lyra2_wipe(memory, SELFTEST_BYTES);
	return i == sizeof(answers) / sizeof(answers[0]);
}
