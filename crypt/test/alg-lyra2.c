/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alg-lyra2.c - known answers for every form of Lyra2, on every kernel that
 * this CPU can run.  The keys were made by the authors' reference code and by
 * an independent implementation of version 2.5.
 */
#include "crypt-port.h"

#include <lyra2.h>
#include <stdio.h>

#if INCLUDE_lyra2

#define KEY_SIZE 32

struct answer {
	const char *name;
	uint32_t version, sponge, rotation, rows, lanes, block_words;
	const char *key;
};

static const struct answer answers[] = {
	{ "2.5, blake2b", 25, LYRA2_BLAKE2B, 128, 5, 1, 12,
	  "28050f51379d0c2d7d51f4f5eba12d61e447182b6c6129abcd6b4d8ce71f559c" },
	{ "2.5, blake2b, rotation 256", 25, LYRA2_BLAKE2B, 256, 5, 1, 12,
	  "fd7e678d4fee7523d6ea9e9d7451d7d716670c4d490618b88cce8fe0df7744f7" },
	{ "3, blake2b", 30, LYRA2_BLAKE2B, 128, 5, 1, 12,
	  "4476dd7ecc78c70c1ec89ea6ee92e039065f9185c0998e6d912fe15073482fd7" },
	{ "3, blamka", 30, LYRA2_BLAMKA, 128, 5, 1, 12,
	  "2ececbd66053b5a0e87cd003fc1ba78deca22cc60247790e246fa55d7f39ae4c" },
	{ "3, half-blamka", 30, LYRA2_HALF_BLAMKA, 128, 5, 1, 12,
	  "8944667c0b4618ce12bb59f19d2b34c1a10aae3ce33550197841a5bd110450b9" },
	{ "3, blamka, blocks of 8 words", 30, LYRA2_BLAMKA, 128, 5, 1, 8,
	  "8a9e0d828e4ae3d3a8cad57a237854ff627ad65d03a17642c79738b934db55c6" },
	{ "3, blamka, two lanes", 30, LYRA2_BLAMKA, 128, 8, 2, 12,
	  "c9372050afc840b45dc400b38ada619e3f0239a164ad9dbb8187c5bd4f445793" },
};

static void
to_hex(const uint8_t *key, char *hex)
{
	for (size_t i = 0; i < KEY_SIZE; i++)
		snprintf(hex + 2 * i, 3, "%02x", key[i]);
}

static int
check(struct lyra2_ctx *ctx, const char *kernel, const struct answer *answer)
{
	struct lyra2_params params;
	uint8_t key[KEY_SIZE];
	char hex[2 * KEY_SIZE + 1] = "an error";

	lyra2_params_init(&params);
	params.version = answer->version;
	params.sponge = answer->sponge;
	params.rotation = answer->rotation;
	params.t_cost = 1;
	params.rows = answer->rows;
	params.cols = 3;
	params.lanes = answer->lanes;
	params.block_words = answer->block_words;
	if (lyra2_kdf(ctx, &params, "password", 8, "saltsalt", 8, key,
		      sizeof(key)) == 0)
		to_hex(key, hex);
	if (strcmp(hex, answer->key) == 0)
		return 0;
	printf("FAIL: %s on %s: expected %s, got %s\n", answer->name, kernel,
	       answer->key, hex);
	return 1;
}

static int
check_kernel(const char *kernel)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	int failed = 0;

	if (!ctx || lyra2_ctx_kernel(ctx, kernel)) {
		printf("FAIL: %s cannot be used\n", kernel);
		failed = 1;
		goto out;
	}
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		failed |= check(ctx, kernel, &answers[i]);
	printf("%s: %zu answers checked\n", kernel, ARRAY_SIZE(answers));
out:
	lyra2_ctx_free(ctx);
	return failed;
}

int
main(void)
{
	const char *kernel;
	int failed = 0, usable;

	for (size_t i = 0; (kernel = lyra2_kernel_at(i, &usable)); i++)
		if (usable)
			failed |= check_kernel(kernel);
		else
			printf("%s: not on this CPU\n", kernel);
	return failed;
}

#else

int
main(void)
{
	return 77; /* the method is not built in */
}

#endif
