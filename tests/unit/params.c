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

START_TEST(defaults_are_96_mib)
{
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	ck_assert_uint_eq(lyra2_memory(&p), 96 << 20);
	ck_assert_str_eq(why, "");
}
END_TEST

/* It may grow up to this size, no other. */
START_TEST(has_room)
{
	ck_assert_uint_eq(sizeof(p), 64);
}
END_TEST

/* In each field, of each version. */
START_TEST(zero_is_the_default)
{
	static const struct lyra2_params want[] = {
		{ 25, LYRA2_BLAKE2B, 128, 2, 4096, 256, 1, 12, 1, 0, { 0 } },
		{ 30, LYRA2_BLAMKA, 128, 2, 4096, 256, 4, 12, 1, 0, { 0 } },
	};
	struct lyra2_params zero = { 0 };

	p.version = want[_i].version;
	ck_assert_uint_eq(lyra2_memory(&p), lyra2_memory(&want[_i]));
	lyra2_params_fill(&p);
	ck_assert_mem_eq(&p, &want[_i], sizeof(p));
	lyra2_params_fill(&zero);
	ck_assert_mem_eq(&zero, &want[1], sizeof(zero));
	zero = (struct lyra2_params){ .version = 25, .rows = 8, .cols = 2 };
	ck_assert_uint_eq(lyra2_memory(&zero), 8 * 2 * 96);
	ck_assert_uint_eq(lyra2_work(&zero), 3 * 8 * 10);
}
END_TEST

START_TEST(cost_numbers)
{
	ck_assert_uint_eq(lyra2_cost_rows(LYRA2_MIN_COST - 1), 0);
	ck_assert_uint_eq(lyra2_cost_rows(LYRA2_MIN_COST), 16);
	ck_assert_uint_eq(lyra2_cost_rows(LYRA2_MAX_COST), 32768);
	ck_assert_uint_eq(lyra2_cost_rows(LYRA2_MAX_COST + 1), 0);
	lyra2_params_fill(&p);
	ck_assert_uint_eq(lyra2_cost_rows(LYRA2_DEFAULT_COST), p.rows);
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
	ck_assert_uint_eq(lyra2_memory(&p), 3 * 3 * 2 * 96);
	p.block_words = 8;
	ck_assert_uint_eq(lyra2_memory(&p), 3 * 3 * 2 * 64);
	p.lanes = 18;
	p.rows = 71;
	ck_assert_uint_eq(lyra2_memory(&p), 18 * 3 * 2 * 64 + 2 * 384);
}
END_TEST

static const struct {
	size_t field;
	uint32_t bad;
	const char *why;
} refused[] = {
#define FIELD(name) offsetof(struct lyra2_params, name)
	{ FIELD(version), 3, "version: 3 is not 25 or 30" },
	{ FIELD(sponge), 4, "sponge: 4 is out of range, 1 to 3" },
	{ FIELD(rotation), 64, "rotation: 64 is not 128 or 256" },
	{ FIELD(rows), 2, "rows: 2 is out of range, 12 to 4294967295 "
	  "(3 per lane)" },
	{ FIELD(lanes), 1431655766, "lanes: 1431655766 is out of range, "
	  "1 to 1431655765" },
	{ FIELD(lanes), 1366, "rows: 4096 is out of range, 4098 to 4294967295 "
	  "(3 per lane)" },
	{ FIELD(block_words), 9, "block_words: 9 is not 8, 10 or 12" },
	{ FIELD(rho), 13, "rho: 13 is out of range, 1 to 12" },
	{ FIELD(outer), 2, "outer: 2 is out of range, 0 to 1" },
#define RESERVED "reserved: must be 0; use lyra2_params_init()"
	{ FIELD(reserved[0]), 1, RESERVED },
	{ FIELD(reserved[5]), 1, RESERVED },
};

START_TEST(refuses)
{
	memcpy((char *)&p + refused[_i].field, &refused[_i].bad,
	       sizeof(refused[_i].bad));
	ck_assert_int_eq(lyra2_check_string(&p, why, sizeof(why)), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(why, refused[_i].why);
	errno = 0;
	ck_assert_int_eq(lyra2_check(&p, NULL, 0), -1);
	ck_assert_int_eq(errno, EINVAL);
	errno = 0;
	ck_assert_uint_eq(lyra2_memory(&p), 0);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(version_25_is_narrower)
{
	p.version = 25;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	p.sponge = LYRA2_BLAMKA;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_ptr_nonnull(strstr(why, "blamka is not in version 2.5"));
	p.sponge = LYRA2_HALF_BLAMKA;
	p.lanes = 1;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	p.lanes = 2;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_str_eq(why, "lanes: 2 is not 1, as in version 2.5");
}
END_TEST

START_TEST(half_rounds_go_to_24)
{
	p.sponge = LYRA2_HALF_BLAMKA;
	p.rho = 24;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), 0);
	p.rho = 25;
	ck_assert_int_eq(lyra2_check(&p, why, sizeof(why)), -1);
	ck_assert_str_eq(why, "rho: 25 is out of range, 1 to 24");
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
	tcase_add_test(tc, defaults_are_96_mib);
	tcase_add_test(tc, has_room);
	tcase_add_loop_test(tc, zero_is_the_default, 0, 2);
	tcase_add_test(tc, cost_numbers);
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
