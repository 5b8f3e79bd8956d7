/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For valgrind: secrets are declared undefined, so that valgrind reports any
 * branch or address that depends on a secret.  The idea is Adam Langley's
 * ctgrind.
 *
 * The first argument names the function to try.  The kernel is the one in plain
 * C.  All kernels share the algorithm; their vectors differ in instructions,
 * not in branches.  valgrind knows AVX2, but not AVX-512 (3.19).
 */
#include "../../src/encode.c"	/* for what it doesn't export */

#define CORE_KERNEL secrets_core
#define CORE_TARGET
#define CORE_LANES 1
#include "core-kernel.h"
LYRA2_INTERNAL lyra2_core_fn CORE_KERNEL;
#include "vec-plain.h"
#include "core-blamka.h"
#include "core-body.h"

#include <stdlib.h>
#include <valgrind/memcheck.h>

/* What lyra2_verify() returns is no secret: see public_equal(). */
#define kdf_run secret_run
#define lyra2_equal public_equal
static int public_equal(const uint8_t *x, const uint8_t *y, size_t n);
#include "../../src/lyra2.c"
#undef kdf_run
#undef lyra2_equal

#define SETTING "$lyra2$t2n4c12p1$saltsalt"
#define ZERO32 "..........................................."
static uint8_t secret[48], public[48];

static int public_equal(const uint8_t *x, const uint8_t *y, size_t n)
{
	int equal = lyra2_equal(x, y, n);

	VALGRIND_MAKE_MEM_DEFINED(&equal, sizeof(equal));
	return equal;
}

int secret_run(struct lyra2_ctx *ctx, struct lyra2_job *job)
{
	(void)ctx;
	memcpy(job->key, secret, job->keylen);
	return 0;
}

static int try_encode(void)
{
	char out[65];

	base64_encode(secret, sizeof(secret), out);
	return 0;
}

/*
 * It is no secret whether a character is a digit; which digit it is, is secret.
 */
static int try_decode(void)
{
	volatile int sum = 0;
	size_t i;

	for (i = 0; i < sizeof(secret); i++)
		sum += base64_value(secret[i]);
	return 0;
}

static int try_compare(void)
{
	return public_equal(secret, public, sizeof(secret));
}

/* The hash of a password, which other processes must not learn bit by bit */
static int try_verify(void)
{
	char out[LYRA2_MAX_STRING];

	return lyra2_crypt(NULL, SETTING, "pw", 2, out, sizeof(out)) ||
	       lyra2_verify(NULL, SETTING "$" ZERO32, "pw", 2);
}

/* Until setup ends, rows are visited in a known order. */
static int try_setup(void)
{
	static uint64_t matrix[20 * 4 * 12];
	struct lane lane;
	struct lyra2_job job = {
		.password = secret,
		.passwordlen = sizeof(secret),
		.salt = public,
		.saltlen = 16,
		.matrix = matrix,
		.lanes = &lane,
		.keylen = 32,
	};

	lyra2_params_default(&job.params);
	job.params.rows = 20;
	job.params.cols = 4;
	job.params.lanes = 1;
	begin(&job);
	setup(&job);
	return 0;
}

/* A leak, as the other functions must not have */
static int try_leak(void)
{
	static volatile char table[256];

	return table[secret[0]];
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*try)(void);
	} tries[] = {
		{ "encode", try_encode }, { "decode", try_decode },
		{ "compare", try_compare }, { "verify", try_verify },
		{ "setup", try_setup },
		{ "leak", try_leak },
	};
	size_t i;

	memset(public, 1, sizeof(public));
	VALGRIND_MAKE_MEM_UNDEFINED(secret, sizeof(secret));
	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (argc == 2 && strcmp(argv[1], tries[i].name) == 0)
			return tries[i].try();
	return 2;
}
