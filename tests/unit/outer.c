/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Strings with an outer hash: known answers, on every kernel, from a program
 * in Python that shares nothing with this library, and what a change of the
 * outer hash means.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "lyra2-kernels.h"

static const struct {
	const char *password;
	size_t times;		/* that it stands there */
	const char *hash;
} answer[] = {
	{ "", 1,
	  "$lyra2$v=30$t=1$r=8$c=4"
	  "$o=bash256$saltsalt$"
	  "9AcvVgRmQpqJ/phqYk0r27MZb58Caknoer8fXsNl2Jc" },
	{ "a", 1,
	  "$lyra2$v=25$t=1$r=4$c=4"
	  "$o=bash256$saltsalt$"
	  "hMlBillyoAZH8wJgFtyDcytgfL4Xm3nOH6SGtJWar4Q" },
	{ "password", 1,
	  "$lyra2$v=30$t=2$r=16$c=3"
	  "$o=bash256$saltsalt$"
	  "Ct8FJ66nCpU6gKeRyeXRSCAK53Lh2VP2K4gLFK/OoWo" },
	{ "correct horse battery staple", 1,
	  "$lyra2$v=30$t=1$r=8$c=4$f=blake2b"
	  "$o=bash256$./0123456789ABYZabyz/.$"
	  "9dVG.oWJxok5H1v0JXlAzL6RLmMm5S7gwbSWcFHBxxU" },
	{ "x", 127,
	  "$lyra2$v=30$t=1$r=12$c=4$p=2"
	  "$o=bash256$saltsalt$"
	  "ZMiC1PFyVW4c.gRbQwnIHlDqkSwmo5pwBJ1MXuAbGog" },
	{ "x", 128,
	  "$lyra2$v=30$t=1$r=24$c=2$p=4$f=blake2b"
	  "$o=bash256$saltsalt$"
	  "qdofGZDZwl0CmjYGhGupU5DD/O4LbpTW498RbWdyuWc" },
	{ "x", 511,
	  "$lyra2$v=25$t=3$r=5$c=9"
	  "$o=bash256$./0123456789ABCDEFGHIJKLMNOPQ"
	  "RSTUVWXYZabcdefghijklmnopqrstuvwxyz$"
	  "DA8keDtRqTmwLyosG6V2ROp5qiTGt2L2tdZ/RbJklPc" },
	{ "\320\277\320\260\321\200\320\276\320\273\321\214", 1,
	  "$lyra2$v=30$t=1$r=100$c=1"
	  "$o=bash256$saltsalt$"
	  "tGrHW5l97AnzZDzCcIW1UuRpPbBfx8KwTfc.qn3jtsg" },
};
enum { ANSWERS = sizeof(answer) / sizeof(answer[0]) };

static char password[LYRA2_MAX_PASSWORD + 1];
static struct lyra2_ctx *ctx;

static void new_ctx(void)
{
	ctx = lyra2_ctx_new();
	ck_assert_ptr_nonnull(ctx);
}

static void free_ctx(void)
{
	lyra2_ctx_free(ctx);
}

/* Password i, of so many bytes */
static size_t fill_password(int i)
{
	const size_t n = strlen(answer[i].password);
	size_t j;

	for (j = 0; j < answer[i].times; j++)
		memcpy(password + j * n, answer[i].password, n);
	return n * answer[i].times;
}

static void check_answer(int i)
{
	const char *hash = answer[i].hash;
	const size_t n = fill_password(i);
	char out[LYRA2_MAX_STRING];

	ck_assert_int_eq(lyra2_crypt(ctx, hash, password, n, out,
				     sizeof(out)), 0);
	ck_assert_str_eq(out, hash);
	ck_assert_int_eq(lyra2_verify(ctx, hash, password, n), 0);
	password[0] ^= 1;
	ck_assert_int_eq(lyra2_verify(ctx, hash, password, n ? n : 1), 1);
}

START_TEST(known_answer)
{
	const char *name;
	size_t k;
	int usable;

	check_answer(_i);	/* each with the kernel of its choice */
	for (k = 0; (name = lyra2_kernel_at(k, &usable)); k++) {
		if (!usable)
			continue;
		ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, name), 0);
		check_answer(_i);
	}
}
END_TEST

/* The raw function has no outer hash: it refuses one. */
START_TEST(raw)
{
	struct lyra2_params p;
	uint8_t key[32] = { 0 };
	char why[64];

	lyra2_params_init(&p);
	p.rows = 8;
	p.lanes = 1;
	p.cols = 4;
	p.outer = LYRA2_BASH256;
	errno = 0;
	ck_assert_int_eq(lyra2_kdf(NULL, &p, "a", 1, "b", 1, key, 32), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_mem_eq(key, (uint8_t[32]){ 0 }, sizeof(key));
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_str_eq(why, "outer: only strings have an outer hash");
	ck_assert_int_eq(lyra2_check_string(&p, NULL, 0), 0);
	ck_assert_uint_eq(lyra2_memory(&p), 8 * 4 * 96);
}
END_TEST

START_TEST(rehash)
{
	struct lyra2_params p;
	char hash[LYRA2_MAX_STRING];

	lyra2_params_init(&p);
	p.rows = 8;
	p.lanes = 1;
	p.cols = 4;
	p.outer = LYRA2_BASH256;
	ck_assert_int_eq(lyra2_hash(NULL, &p, "a", 1, hash, sizeof(hash)), 0);
	ck_assert_ptr_nonnull(strstr(hash, "$c=4$o=bash256$"));
	ck_assert_int_eq(lyra2_verify(NULL, hash, "a", 1), 0);
	ck_assert_int_eq(lyra2_needs_rehash(hash, &p), 0);
	p.outer = LYRA2_NO_OUTER;
	ck_assert_int_eq(lyra2_needs_rehash(hash, &p), 1);
	ck_assert_int_eq(lyra2_parse(hash, &p, NULL, 0), 0);
	ck_assert_uint_eq(p.outer, LYRA2_BASH256);
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(lyra2_outer_name(LYRA2_NO_OUTER), "none");
	ck_assert_str_eq(lyra2_outer_name(LYRA2_BASH256), "bash256");
	ck_assert_ptr_null(lyra2_outer_name(LYRA2_BASH256 + 1));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("outer");
	TCase *tc = tcase_create("strings");

	tcase_add_checked_fixture(tc, new_ctx, free_ctx);
	tcase_add_loop_test(tc, known_answer, 0, ANSWERS);
	tcase_add_test(tc, raw);
	tcase_add_test(tc, rehash);
	tcase_add_test(tc, names);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
