/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The choice of a kernel on CPUs other than this one, its reason, and the end
 * of a kernel that computes wrong hashes
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "bash-dispatch.h"
#include "check-main.h"
#include "cpu.h"
#include "dispatch.h"
#include "lyra2-kernels.h"

/* In place of the library's kernels: they give no right hash. */
LYRA2_INTERNAL bash_blocks_fn bash_blocks_plain;
void bash_blocks_plain(uint64_t *state, const uint8_t *p, size_t n)
{
	(void)p;
	state[0] ^= n;
}

/* And it is tried again, as one that was wrong. */
START_TEST(bash_is_not_right)
{
	int i;

	for (i = 0; i < 2; i++) {
		errno = 0;
		ck_assert_ptr_null(bash_dispatch(KERNEL_plain));
		ck_assert_int_eq(errno, ENOTSUP);
	}
}
END_TEST

/* Whichever is best, the list has each kernel once. */
START_TEST(listed)
{
	enum kernel best, i;

	for (best = 0; best < KERNELS; best++) {
		ck_assert_int_eq(dispatch_nth(best, 0), best);
		for (i = 1; i < KERNELS; i++) {
			ck_assert_int_lt(dispatch_nth(best, i), KERNELS);
			ck_assert_int_ne(dispatch_nth(best, i), best);
			if (i > 1)
				ck_assert_int_lt(dispatch_nth(best, i - 1),
						 dispatch_nth(best, i));
		}
	}
}
END_TEST

#ifdef __x86_64__
LYRA2_INTERNAL lyra2_core_fn lyra2_blamka_plain;
void lyra2_blamka_plain(const struct lyra2_job *job)
{
	memset(job->key, 0, job->keylen);
}

/* The kernel that a context names, and no other, computes its hashes. */
START_TEST(named)
{
	const struct lyra2_params p = { 30, LYRA2_BLAMKA, 1, 8, 4, 2, { 0 } };
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	uint8_t key[8];

	ck_assert_ptr_nonnull(ctx);
	ck_assert_int_eq(lyra2_kdf(ctx, &p, "", 0, "", 0, key, 8), 0);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, "plain"), 0);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, "none"), -1);
	errno = 0;
	ck_assert_int_eq(lyra2_kdf(ctx, &p, "", 0, "", 0, key, 8), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, NULL), 0);
	ck_assert_int_eq(lyra2_kdf(ctx, &p, "", 0, "", 0, key, 8), 0);
	lyra2_ctx_free(ctx);
}
END_TEST

enum {
	ALL = CPU_READ | CPU_SSE2 | CPU_AVX2 | CPU_AVX512VL
};

static const char *why;

static enum kernel chosen(unsigned cpu, bool alone)
{
	return dispatch_choice(cpu, alone, &why);
}

START_TEST(unknown)
{
	ck_assert_int_eq(chosen(ALL, true), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
	ck_assert_int_eq(chosen(ALL, false), KERNEL_avx512vl);
	ck_assert_int_eq(chosen(CPU_READ | CPU_SSE2 | CPU_AVX2, true),
			 KERNEL_avx2);
	ck_assert_int_eq(chosen(CPU_READ | CPU_SSE2, true), KERNEL_sse2);
	ck_assert_int_eq(chosen(CPU_READ, true), KERNEL_plain);
}
END_TEST

START_TEST(not_measured)
{
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, false), KERNEL_avx512vl);
	ck_assert_str_eq(why, "widest");
}
END_TEST

#ifndef __clang__
START_TEST(measured)
{
	ck_assert_int_eq(chosen(ALL | CPU_ZEN5, true), KERNEL_plain);
	ck_assert_str_eq(why, "measured on Zen 5");
}
END_TEST
#endif

/* The kind of CPU for a vendor and version that CPUID returns */
START_TEST(kinds)
{
	enum { INTEL = 0x756e6547, AMD = 0x68747541 };
	enum { SAPPHIRE_RAPIDS = 0x806f8, TURIN = 0xb00f21, GENOA = 0xa10f11 };

	ck_assert_uint_eq(cpu_kind(AMD, TURIN), CPU_ZEN5);
	ck_assert_uint_eq(cpu_kind(AMD, GENOA), 0);
	ck_assert_uint_eq(cpu_kind(INTEL, SAPPHIRE_RAPIDS), 0);
	ck_assert_uint_eq(cpu_kind(INTEL, TURIN), 0);
}
END_TEST

/* An old CPU gives another leaf in place of leaf 7, and traps on XCR0. */
START_TEST(told)
{
	const unsigned OSXSAVE = 1 << 27;

	ck_assert(cpu_tells(7, OSXSAVE) && cpu_tells(13, ~0U));
	ck_assert(!cpu_tells(6, ~0U) && !cpu_tells(13, ~OSXSAVE));
}
END_TEST

/* Registers that the operating system does not save cannot be used. */
START_TEST(saved)
{
	const unsigned AVX2 = 1 << 5, F = 1 << 16, VL = 1U << 31, ALL7 = ~0U;
	enum { X87 = 1, SSE = 2, YMM = 4, K = 0x20, ZMM = 0x40, ZMM16 = 0x80 };
	const struct {
		unsigned saves, b, cpu;
	} of[] = {
		{ 0, ALL7, 0 },
		{ X87 | SSE, ALL7, 0 },
		{ X87 | YMM, ALL7, 0 },
		{ SSE | YMM, ALL7, CPU_AVX2 },
		{ SSE | YMM, ALL7 & ~AVX2, 0 },
		{ SSE | YMM | ZMM | ZMM16, ALL7, CPU_AVX2 },
		{ SSE | YMM | K | ZMM16, ALL7, CPU_AVX2 },
		{ SSE | YMM | K | ZMM, ALL7, CPU_AVX2 },
		{ K | ZMM | ZMM16, ALL7, 0 },
		{ SSE | YMM | K | ZMM | ZMM16, ALL7,
		  CPU_AVX2 | CPU_AVX512VL },
		{ SSE | YMM | K | ZMM | ZMM16, ALL7 & ~VL, CPU_AVX2 },
		{ SSE | YMM | K | ZMM | ZMM16, AVX2 | F, CPU_AVX2 },
		{ SSE | YMM | K | ZMM | ZMM16, AVX2 | VL, CPU_AVX2 },
		{ SSE | YMM | K | ZMM | ZMM16, 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		ck_assert_uint_eq(cpu_wide(of[i].saves, of[i].b), of[i].cpu);
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("dispatch");
	TCase *tc = tcase_create("choice");

	tcase_add_test(tc, bash_is_not_right);
	tcase_add_test(tc, listed);
#ifdef __x86_64__
	tcase_add_test(tc, named);
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, not_measured);
#ifndef __clang__
	tcase_add_test(tc, measured);
#endif
	tcase_add_test(tc, kinds);
	tcase_add_test(tc, told);
	tcase_add_test(tc, saved);
#endif
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
