/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests/source/cross.sh: calls every function of lyra2.h, so that a static
 * library must contain all of them.  Exits with 0 if their results agree.
 */
#include <lyra2.h>
#include <string.h>

#define PASSWORD "password", 8

static const struct lyra2_params small = {
	30, LYRA2_BLAMKA, 2, 16, 16, 1, { 0 }
};

static int hashes(struct lyra2_ctx *ctx)
{
	char setting[LYRA2_MAX_STRING], one[LYRA2_MAX_STRING];
	char two[LYRA2_MAX_STRING];

	return lyra2_gensalt(LYRA2_METHOD_LYRA2, &small, NULL, 0, setting,
			     sizeof(setting)) < 0 ||
		lyra2_crypt(ctx, setting, PASSWORD, one, sizeof(one)) < 0 ||
		lyra2_verify(ctx, one, PASSWORD) < 0 ||
		lyra2_verify(ctx, one, "another", 7) == 0 ||
		lyra2_hash(ctx, LYRA2_METHOD_BASH_LYRA2, &small, PASSWORD,
			   two, sizeof(two)) < 0 ||
		lyra2_verify(NULL, two, PASSWORD) < 0 ||
		lyra2_needs_rehash(one, LYRA2_METHOD_LYRA2, &small) < 0 ||
		lyra2_needs_rehash(one, LYRA2_METHOD_LYRA2, NULL) == 0;
}

static int keys(struct lyra2_ctx *ctx)
{
	char one[40], two[40];

	return lyra2_kdf(ctx, &small, PASSWORD, "salt", 4, one, 40) < 0 ||
		lyra2_kdf(NULL, &small, PASSWORD, "salt", 4, two, 40) < 0 ||
		memcmp(one, two, sizeof(one)) != 0;
}

static int parameters(void)
{
	struct lyra2_params p;
	struct lyra2_reason why;
	uint32_t method;

	lyra2_params_default(&p);
	return lyra2_check(&p, &why) < 0 || lyra2_check_string(&p, &why) < 0 ||
		lyra2_memory(&p) <= lyra2_memory(&small) ||
		lyra2_work(&p) <= lyra2_work(&small) ||
		lyra2_parse("$lyra2$", &method, &p, &why) == 0 ||
		lyra2_strerror(0)[0] == '\0';
}

int main(void)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	int bad = hashes(ctx) | keys(ctx) << 1 | parameters() << 2;

	lyra2_ctx_free(ctx);
	return bad;
}
