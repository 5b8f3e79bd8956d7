/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The search of lyra2 calibrate on machines that are made up: a hash takes as
 * long as the model says, and the machine may be busy.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "check-main.h"
#include "tool/bench-time.h"
#include "tool/calibrate.h"
#include "tool/progress.h"
#include "tool/tool.h"

#define MIB (UINT64_C(1) << 20)

static struct choice c;
static double us_per_row;	/* of a pass */
static uint32_t slow_from, slow_to;	/* measurements that are disturbed */
static double slowness, noise;
static uint32_t measured;

/* ---- what the search calls ---- */

int bench_ours(struct bench_work *w, const char *name,
	       const struct lyra2_params *params, const char *kernel,
	       bool fresh)
{
	(void)name, (void)kernel, (void)fresh;
	w->params = *params;
	ck_assert_int_eq(lyra2_check_string(params, NULL, 0), 0);
	return TOOL_YES;
}

int bench_load_run(struct bench_load *load)
{
	const struct lyra2_params *p = &load->work->params;
	const double random = rand() / (RAND_MAX + 1.0);

	load->median = us_per_row * p->rows * (p->t_cost + 1);
	load->median *= 1 + noise * random;
	load->spread = noise * random;
	if (measured >= slow_from && measured < slow_to)
		load->median *= slowness;
	ck_assert_uint_lt(measured++, 200);
	return TOOL_YES;
}

int tool_error(int status, const char *format, ...)
{
	(void)format;
	return status;
}

void progress_begin(const char *label, uint64_t total)
{
	(void)label, (void)total;
}

void progress_step(void)
{
}

void progress_end(void)
{
}

/* ---- tests ---- */

static void quiet_machine(void)
{
	c = (struct choice){ .target_ms = 100, .parallel = 2, .runs = 5,
			     .max_memory = LYRA2_MAX_MEMORY };
	lyra2_params_init(&c.params);
	c.params.lanes = 1;
	lyra2_params_fill(&c.params);
	us_per_row = 10;
	slow_from = slow_to = measured = 0;
	slowness = 10;
	noise = 0;
	srand(1);
}

static void assert_found(double least)
{
	ck_assert_int_eq(calibrate_search(&c), TOOL_YES);
	ck_assert_double_le(c.us, c.target_ms * 1e3);
	ck_assert_double_ge(us_per_row * c.params.rows *
			    (c.params.t_cost + 1), least * c.target_ms * 1e3);
}

START_TEST(finds_the_target)
{
	static const double speeds[] = { 0.3, 1, 3, 10, 30, 100, 300, 1000 };

	us_per_row = speeds[_i];
	assert_found(0.9);	/* there are whole passes only */
	ck_assert_uint_le(measured, 20);
}
END_TEST

START_TEST(lanes_share_the_rows)
{
	c.params.lanes = (uint32_t)_i;
	assert_found(0.9);
	ck_assert_uint_eq(c.params.rows % c.params.lanes, 0);
}
END_TEST

/* Measurements that were disturbed do not decide. */
START_TEST(disturbed_at_first)
{
	slow_to = (uint32_t)_i;
	assert_found(0.9);
}
END_TEST

START_TEST(disturbed_later)
{
	slow_from = (uint32_t)_i;
	slow_to = slow_from + 1;
	assert_found(0.9);
}
END_TEST

START_TEST(noisy)
{
	noise = 0.5;
	srand((unsigned)_i);
	assert_found(0.6);
}
END_TEST

START_TEST(says_how_noisy)
{
	noise = 4;
	ck_assert_int_eq(calibrate_search(&c), TOOL_YES);
	ck_assert_double_le(c.us, c.target_ms * 1e3);
	quiet_machine();
	assert_found(0.9);
	ck_assert_double_le(c.spread, CALIBRATE_NOISE);
}
END_TEST

START_TEST(passes_use_the_rest_of_the_time)
{
	c.max_memory = 4 * MIB;
	assert_found(0.93);
	ck_assert_uint_eq(c.params.rows, 170);
	ck_assert_uint_gt(c.params.t_cost, 2);
}
END_TEST

START_TEST(limits_of_strings)
{
	us_per_row = 0.0001;
	ck_assert_int_eq(calibrate_search(&c), TOOL_YES);
	ck_assert_int_eq(lyra2_check_string(&c.params, NULL, 0), 0);
	ck_assert_uint_gt(lyra2_memory(&c.params), LYRA2_MAX_MEMORY * 9 / 10);
}
END_TEST

START_TEST(out_of_reach)
{
	us_per_row = 1e5;
	ck_assert_int_eq(calibrate_search(&c), TOOL_NO);
	ck_assert_uint_eq(c.params.rows, 16);
	quiet_machine();
	c.max_memory = MIB;
	c.params.lanes = 1000;
	ck_assert_int_eq(calibrate_search(&c), TOOL_INPUT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("calibrate");
	TCase *tc = tcase_create("search");

	tcase_add_checked_fixture(tc, quiet_machine, NULL);
	tcase_add_loop_test(tc, finds_the_target, 0, 8);
	tcase_add_loop_test(tc, lanes_share_the_rows, 1, 9);
	tcase_add_loop_test(tc, disturbed_at_first, 1, 3);
	tcase_add_loop_test(tc, disturbed_later, 0, 8);
	tcase_add_loop_test(tc, noisy, 0, 20);
	tcase_add_test(tc, says_how_noisy);
	tcase_add_test(tc, passes_use_the_rest_of_the_time);
	tcase_add_test(tc, limits_of_strings);
	tcase_add_test(tc, out_of_reach);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
