/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel is chosen on CPUs other than this one, and why. */
#include <stdint.h>

#include "check-main.h"
#include "dispatch.h"

#ifdef __x86_64__
enum { ALL = CPU_READ | CPU_SSE2 | CPU_AVX2 | CPU_AVX512VL };

static const char *why;

static enum kernel chosen(unsigned cpu, uint32_t lanes, uint32_t rotation)
{
	return dispatch_choice(cpu, lanes, rotation, &why);
}

START_TEST(unknown)
{
	ck_assert_int_eq(chosen(ALL, 1, 128), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
	ck_assert_int_eq(chosen(ALL & ~CPU_AVX512VL, 1, 128), KERNEL_avx2);
	ck_assert_int_eq(chosen(CPU_READ | CPU_SSE2, 1, 128), KERNEL_sse2);
	ck_assert_int_eq(chosen(CPU_READ, 1, 128), KERNEL_plain);
}
END_TEST

/* Only one lane with the usual rotation was measured. */
START_TEST(not_measured)
{
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, 2, 128), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, 1, 256), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
}
END_TEST

#ifndef __clang__
START_TEST(measured)
{
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, 1, 128), KERNEL_plain);
	ck_assert_str_eq(why, "measured on Zen 5");
}
END_TEST
#endif

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

int main(void)
{
	Suite *suite = suite_create("dispatch");
	TCase *tc = tcase_create("choice");

#ifdef __x86_64__
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, not_measured);
#ifndef __clang__
	tcase_add_test(tc, measured);
#endif
	tcase_add_test(tc, kinds);
#endif
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
