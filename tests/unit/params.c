/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: defaults, ranges, sizes, and the sentence that refuses them. */
#include <errno.h>
#include <string.h>

#include "check-main.h"
#include "lyra2.h"

static struct lyra2_params p;
static char why[128];

static void defaults(void)
{
	lyra2_params_init(&p);
	memset(why, 0, sizeof(why));
	errno = 0;
}

START_TEST(defaults_are_48_mib)
{
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	ck_assert_uint_eq(lyra2_memory(&p), 48 << 20);
	ck_assert_str_eq(why, "");
}
END_TEST

/* It may grow up to this size, no other. */
START_TEST(has_room)
{
	ck_assert_uint_eq(sizeof(p), 64);
}
END_TEST

START_TEST(null_is_the_defaults)
{
	ck_assert_int_eq(lyra2_check(NULL, why, sizeof(why)), 0);
	ck_assert_int_eq(lyra2_check_string(NULL, why, sizeof(why)), 0);
	ck_assert_uint_eq(lyra2_memory(NULL), lyra2_memory(&p));
	ck_assert_uint_eq(lyra2_work(NULL), lyra2_work(&p));
}
END_TEST

START_TEST(memory_counts_whole_slices)
{
	p.lanes = 3;
	p.rows = 11;
	p.cols = 2;
	ck_assert_uint_eq(lyra2_memory(&p), 3 * 3 * 2 * 96 + 2 * 384);
	p.block_words = 8;
	ck_assert_uint_eq(lyra2_memory(&p), 3 * 3 * 2 * 64 + 2 * 384);
}
END_TEST

static const struct {
	size_t field;
	uint32_t bad;
	const char *why;
} refused[] = {
#define FIELD(name) offsetof(struct lyra2_params, name)
	{ FIELD(version), 3, "version: 3 is not 25 or 30" },
	{ FIELD(sponge), 3, "sponge: 3 is not 0...2" },
	{ FIELD(rotation), 64, "rotation: 64 is not 128 or 256" },
	{ FIELD(t_cost), 0, "t_cost: 0 is not 1...4294967295" },
	{ FIELD(rows), 2, "rows: 2 is not 3 * lanes (3)...4294967295" },
	{ FIELD(cols), 0, "cols: 0 is not 1...4294967295" },
	{ FIELD(lanes), 0, "lanes: 0 is not 1...1431655765" },
	{ FIELD(lanes), 683, "rows: 2048 is not 3 * lanes (2049)...4294967295"
	},
	{ FIELD(block_words), 9, "block_words: 9 is not 8, 10 or 12" },
	{ FIELD(rho), 13, "rho: 13 is not 1...12" },
	{ FIELD(rho), 0, "rho: 0 is not 1...12" },
	{ FIELD(outer), 2, "outer: 2 is not 0...1" },
#define RESERVED "reserved: is not 0, as lyra2_params_init() sets it"
	{ FIELD(reserved[0]), 1, RESERVED },
	{ FIELD(reserved[5]), 1, RESERVED },
};

START_TEST(refuses)
{
	memcpy((char *)&p + refused[_i].field, &refused[_i].bad,
	       sizeof(refused[_i].bad));
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(why, refused[_i].why);
	errno = 0;
	ck_assert_uint_eq(lyra2_memory(&p), 0);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(version_25_is_narrower)
{
	p.version = 25;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_ptr_nonnull(strstr(why, "blamka is not in version 2.5"));
	p.sponge = LYRA2_HALF_BLAMKA;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	p.lanes = 2;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_str_eq(why, "lanes: 2 is not 1 in version 2.5");
}
END_TEST

START_TEST(half_rounds_go_to_24)
{
	p.sponge = LYRA2_HALF_BLAMKA;
	p.rho = 24;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	p.rho = 25;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_str_eq(why, "rho: 25 is not 1...24");
}
END_TEST

/* Products of more than 64 bits, which may be small modulo 2^64. */
START_TEST(nothing_overflows)
{
	p.rows = UINT32_C(1) << 30;
	p.cols = UINT32_C(1) << 29;	/* 3 * 2^64 bytes */
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_eq(lyra2_memory(&p), 0);
	p.cols = UINT32_C(1) << 27;	/* 3 * 2^62 bytes */
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_uint_eq(lyra2_work(&p), 0);
	p.rows = UINT32_C(1) << 28;
	p.cols = UINT32_C(1) << 28;
	p.t_cost = 255;			/* 2^64 + 2^39 */
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	ck_assert_uint_eq(lyra2_work(&p), UINT64_MAX);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("params");
	TCase *tc = tcase_create("params");

	tcase_add_checked_fixture(tc, defaults, NULL);
	tcase_add_test(tc, defaults_are_48_mib);
	tcase_add_test(tc, has_room);
	tcase_add_test(tc, null_is_the_defaults);
	tcase_add_test(tc, memory_counts_whole_slices);
	tcase_add_loop_test(tc, refuses, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc, version_25_is_narrower);
	tcase_add_test(tc, half_rounds_go_to_24);
	tcase_add_test(tc, nothing_overflows);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
