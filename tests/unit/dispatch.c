/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel is chosen on CPUs other than this one, and why. */
#include <stdint.h>

#include "check-main.h"
#include "dispatch.h"

enum { ALL = CPU_READ | CPU_SSE2 | CPU_AVX2 | CPU_BMI2 | CPU_AVX512VL };

static const uint32_t sponges[] = {
	LYRA2_BLAKE2B, LYRA2_BLAMKA, LYRA2_HALF_BLAMKA
};
static const char *why;

static enum kernel chosen(unsigned cpu, uint32_t lanes, int sponge)
{
	return dispatch_choice(cpu, lanes, sponges[sponge], &why);
}

#ifdef __x86_64__
START_TEST(unknown)
{
	ck_assert_int_eq(chosen(ALL, 1, _i), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
	ck_assert_int_eq(chosen(ALL & ~CPU_AVX512VL, 1, _i), KERNEL_avx2);
	ck_assert_int_eq(chosen(CPU_READ | CPU_SSE2, 1, _i), KERNEL_sse2);
	ck_assert_int_eq(chosen(CPU_READ, 1, _i), KERNEL_plain);
}
END_TEST

START_TEST(several_lanes)
{
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, 2, _i), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
}
END_TEST

START_TEST(measured)
{
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, 1, 0), KERNEL_mixed);
	ck_assert_str_eq(why, "measured on Zen 5");
	/* Not the same for each sponge, nor for each compiler */
	ck_assert_int_ne(chosen(ALL | CPU_ZEN5, 1, 2), KERNEL_mixed);
	ck_assert_str_eq(why, "measured on Zen 5");
	/* No mixed there: its row says nothing. */
	ck_assert_int_eq(chosen(CPU_READ | CPU_SSE2 | CPU_ZEN5, 1, 0),
			 KERNEL_sse2);
	ck_assert_str_eq(why, "widest");
}
END_TEST

/* Of CPUs that CPUID describes: vendor, version */
START_TEST(kinds)
{
	enum { INTEL = 0x756e6547, AMD = 0x68747541 };
	enum { SAPPHIRE_RAPIDS = 0x806f8, TURIN = 0xb00f21, GENOA = 0xa10f11 };

	ck_assert_uint_eq(dispatch_kind(AMD, TURIN), CPU_ZEN5);
	ck_assert_uint_eq(dispatch_kind(AMD, GENOA), 0);
	ck_assert_uint_eq(dispatch_kind(INTEL, SAPPHIRE_RAPIDS), 0);
	ck_assert_uint_eq(dispatch_kind(INTEL, TURIN), 0);
}
END_TEST
#endif

/* The reason is for people; who wants none gives NULL. */
START_TEST(no_ground)
{
	ck_assert_int_eq(dispatch_choice(CPU_READ, 1, sponges[_i], NULL),
			 chosen(CPU_READ, 1, _i));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dispatch");
	TCase *tc = tcase_create("choice");

#ifdef __x86_64__
	tcase_add_loop_test(tc, unknown, 0, 3);
	tcase_add_loop_test(tc, several_lanes, 0, 3);
	tcase_add_test(tc, measured);
	tcase_add_test(tc, kinds);
#endif
	tcase_add_loop_test(tc, no_ground, 0, 3);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
