/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters: defaults, ranges, sizes, and the texts that refuse them */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>

#include "check-main.h"
#include "lyra2-kernels.h"

static struct lyra2_params p;
static struct lyra2_reason why;

static void defaults(void)
{
	lyra2_params_default(&p);
	memset(&why, 0, sizeof(why));
	errno = 0;
}

/* These sizes are part of the interface and never change. */
START_TEST(defaults_are_96_mib)
{
	static const struct lyra2_params want =
		LYRA2_V3_BLAMKA_T2_R4096_C256_P2;

	ck_assert_mem_eq(&p, &want, sizeof(p));
	ck_assert_int_eq(lyra2_check(&p, &why), 0);
	ck_assert_int_eq(lyra2_check_string(&p, &why), 0);
	ck_assert_uint_eq(lyra2_memory(&p), 96 << 20);
	ck_assert_uint_eq(lyra2_work(&p), 3 * 4096 * 264);
	ck_assert_str_eq(why.text, "");
	ck_assert_uint_eq(sizeof(p), 64);
	ck_assert_uint_eq(sizeof(why), 128);
	lyra2_params_default(NULL);
}
END_TEST

START_TEST(memory_counts_whole_slices)
{
	p.lanes = 3;
	p.rows = 11;
	p.cols = 2;
	ck_assert_uint_eq(lyra2_memory(&p), 3 * 3 * 2 * 96);
	p.lanes = 18;
	p.rows = 71;
	ck_assert_uint_eq(lyra2_memory(&p), 18 * 3 * 2 * 96 + 2 * 384);
}
END_TEST

static const struct {
	size_t field;
	uint32_t bad, name;
	const char *why;
	bool string;	/* only refused for a string */
} refused[] = {
#define FIELD(name) offsetof(struct lyra2_params, name)
	{ FIELD(version), 3, LYRA2_FIELD_VERSION,
	  "version: 3 is not 25 or 30", false },
	{ FIELD(version), 0, LYRA2_FIELD_VERSION,
	  "version: 0 is not 25 or 30", false },
	{ FIELD(version), 25, LYRA2_FIELD_SPONGE,
	  "sponge: blamka is not in version 2.5", false },
	{ FIELD(sponge), 0, LYRA2_FIELD_SPONGE,
	  "sponge: 0 is out of range, 1 to 2", false },
	{ FIELD(sponge), 3, LYRA2_FIELD_SPONGE,
	  "sponge: 3 is out of range, 1 to 2", false },
	{ FIELD(t_cost), 0, LYRA2_FIELD_T_COST,
	  "t_cost: 0 is out of range, 1 to 4294967295", false },
	{ FIELD(rows), 5, LYRA2_FIELD_ROWS,
	  "rows: 5 is out of range, 6 to 4294967295", false },
	{ FIELD(cols), 0, LYRA2_FIELD_COLS,
	  "cols: 0 is out of range, 1 to 4294967295", false },
	{ FIELD(lanes), 0, LYRA2_FIELD_LANES,
	  "lanes: 0 is out of range, 1 to 1431655765", false },
	{ FIELD(lanes), 1431655766, LYRA2_FIELD_LANES,
	  "lanes: 1431655766 is out of range, 1 to 1431655765", false },
	{ FIELD(lanes), 1366, LYRA2_FIELD_ROWS,
	  "rows: 4096 is out of range, 4098 to 4294967295", false },
	{ FIELD(reserved[0]), 1, LYRA2_FIELD_RESERVED, "reserved: not 0; "
	  "start with LYRA2_PARAMS_INIT, and use the library of your header",
	  false },
	{ FIELD(reserved[9]), 1, LYRA2_FIELD_RESERVED, "reserved: not 0; "
	  "start with LYRA2_PARAMS_INIT, and use the library of your header",
	  false },
	{ FIELD(sponge), LYRA2_BLAKE2B, LYRA2_FIELD_SPONGE,
	  "version, sponge: not 30 with blamka, as in every string", true },
	{ FIELD(t_cost), 1, LYRA2_FIELD_T_COST,
	  "t_cost: 1 is out of range, 2 to 4294967295", true },
	{ FIELD(rows), 4097, LYRA2_FIELD_ROWS,
	  "rows: 4097 is not 2^n with n from 4 to 15", true },
	{ FIELD(rows), 65536, LYRA2_FIELD_ROWS,
	  "rows: 65536 is not 2^n with n from 4 to 15", true },
	{ FIELD(cols), 11, LYRA2_FIELD_COLS,
	  "cols: 11 is out of range, 12 to 4096", true },
	{ FIELD(lanes), 8, LYRA2_FIELD_LANES,
	  "lanes: 8 is not 1, 2 or 4", true },
};

START_TEST(refuses)
{
	ROW(refused[_i].why);
	memcpy((char *)&p + refused[_i].field, &refused[_i].bad,
	       sizeof(refused[_i].bad));
	ck_assert_int_eq(lyra2_check_string(&p, &why), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(why.text, refused[_i].why);
	ck_assert_uint_eq(why.field, refused[_i].name);
	errno = 0;
	ck_assert_int_eq(lyra2_check(&p, NULL), refused[_i].string ? 0 : -1);
	ck_assert_int_eq(errno, refused[_i].string ? 0 : EINVAL);
	/* Refused parameters exceed every limit. */
	ck_assert_int_eq(lyra2_memory(&p) == UINT64_MAX, !refused[_i].string);
	ck_assert_int_eq(lyra2_work(&p) == UINT64_MAX, !refused[_i].string);
}
END_TEST

START_TEST(reserved_fields_do_not_cancel_out)
{
	p.reserved[3] = p.reserved[4] = 1;
	ck_assert_int_eq(lyra2_check(&p, &why), -1);
	ck_assert_uint_eq(why.field, LYRA2_FIELD_RESERVED);
	p.reserved[4] = -p.reserved[3];
	ck_assert_int_eq(lyra2_check(&p, NULL), -1);
}
END_TEST

START_TEST(null_is_refused)
{
	ck_assert_int_eq(lyra2_check(NULL, &why), -1);
	ck_assert_str_eq(why.text, "params: NULL");
	ck_assert_int_eq(lyra2_check_string(NULL, NULL), -1);
	ck_assert_uint_eq(lyra2_memory(NULL), UINT64_MAX);
	ck_assert_uint_eq(lyra2_work(NULL), UINT64_MAX);
}
END_TEST

START_TEST(version_25_is_narrower)
{
	p.version = 25;
	p.sponge = LYRA2_BLAKE2B;
	ck_assert_int_eq(lyra2_check(&p, &why), -1);
	ck_assert_str_eq(why.text, "lanes: 2 is out of range, 1 to 1");
	p.lanes = 1;
	ck_assert_int_eq(lyra2_check(&p, &why), 0);
	ck_assert_int_eq(lyra2_check_string(&p, &why), -1);
	ck_assert_uint_eq(why.field, LYRA2_FIELD_VERSION);
}
END_TEST

static const struct {
	uint32_t version, sponge, rotation;
	int result;
} rotations[] = {
	{ 25, LYRA2_BLAKE2B, 128, 0 },
	{ 25, LYRA2_BLAKE2B, 256, 0 },
	{ 30, LYRA2_BLAKE2B, 128, 0 },
	{ 30, LYRA2_BLAMKA, 128, 0 },
	/* These are not defined. */
	{ 30, LYRA2_BLAKE2B, 256, -1 },
	{ 30, LYRA2_BLAMKA, 256, -1 },
	{ 25, LYRA2_BLAKE2B, 64, -1 },
	{ 25, LYRA2_BLAKE2B, 0, -1 },
	{ 30, 3, 128, -1 },
	{ 25, 3, 128, -1 },
	{ 25, LYRA2_BLAMKA, 128, -1 },
};

START_TEST(rotations_for_known_answers)
{
	uint8_t key[8];

	ROW(NULL);
	p = (struct lyra2_params){ rotations[_i].version, rotations[_i].sponge,
				   1, 3, 1, 1, { 0 } };
	ck_assert_int_eq(lyra2_kdf_rotation(NULL, &p, rotations[_i].rotation,
					    "", 0, "", 0, key, sizeof(key)),
			 rotations[_i].result);
	ck_assert_int_eq(errno, rotations[_i].result ? EINVAL : 0);
}
END_TEST

/* Products of more than 64 bits, which may be small modulo 2^64. */
START_TEST(nothing_overflows)
{
	p.rows = UINT32_C(1) << 30;
	p.cols = UINT32_C(1) << 29;	/* 3 * 2^64 bytes */
	ck_assert_int_eq(lyra2_check(&p, &why), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_uint_eq(why.field, LYRA2_FIELD_MEMORY);
	ck_assert_uint_eq(lyra2_memory(&p), UINT64_MAX);
	p.cols = UINT32_C(1) << 27;	/* 3 * 2^62 bytes */
	ck_assert_int_eq(lyra2_check(&p, &why), -1);
	p.rows = UINT32_C(1) << 28;
	p.cols = UINT32_C(1) << 28;
	p.t_cost = 255;			/* 2^64 + 2^39 */
	ck_assert_int_eq(lyra2_check(&p, &why), 0);
	ck_assert_uint_eq(lyra2_work(&p), UINT64_MAX);
	defaults();
	p.t_cost = UINT32_MAX;
	ck_assert_uint_eq(lyra2_work(&p), (UINT64_C(1) << 44) * 264);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof(array[0]))

/* 65,536 passes over 65,536 rows, or 131,072 of two lanes, take hours. */
START_TEST(no_visit_is_left_out)
{
	const struct itimerval half = { .it_value = { 0, 500000 } };
	uint8_t key[8];

	p = (struct lyra2_params){
		30, LYRA2_BLAMKA, 1 << 16, (uint32_t)_i << 16, 1, (uint32_t)_i,
		{ 0 }
	};
	ck_assert_int_eq(setitimer(ITIMER_VIRTUAL, &half, NULL), 0);
	(void)!lyra2_kdf(NULL, &p, "", 0, "", 0, key, sizeof(key));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("params");
	TCase *tc = tcase_create("params");

	tcase_add_checked_fixture(tc, defaults, NULL);
	tcase_add_test(tc, defaults_are_96_mib);
	tcase_add_test(tc, memory_counts_whole_slices);
	tcase_add_loop_test(tc, refuses, 0, COUNT(refused));
	tcase_add_test(tc, reserved_fields_do_not_cancel_out);
	tcase_add_test(tc, null_is_refused);
	tcase_add_test(tc, version_25_is_narrower);
	tcase_add_loop_test(tc, rotations_for_known_answers, 0,
			    COUNT(rotations));
	tcase_add_test(tc, nothing_overflows);
	tcase_add_loop_test_raise_signal(tc, no_visit_is_left_out, SIGVTALRM, 1,
					 3);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
