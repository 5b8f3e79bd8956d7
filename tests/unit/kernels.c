/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every kernel that this CPU can run agrees with the portable one.  The
 * parameters are random, around likely faults: two rows that are the same;
 * numbers of columns and rows that are no powers of two; input that ends near
 * the border of a block; slices of odd height.  And the self test notices a
 * kernel that is wrong for some parameters only.
 */
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "dispatch.h"
#include "lyra2-kernels.h"
#include "selftest.h"
#include "tests/lib/random.h"

enum { CASES = 200, INPUT = 200, KEY = 400 };

/* A hash that two kernels compute */
struct sample {
	struct lyra2_params params;
	uint32_t rotation;
	size_t passwordlen, saltlen, keylen;
	uint8_t password[INPUT], salt[INPUT];
};

static const char *kernel[16];
static int kernels;

/* Draws the parameters that all kinds of samples share. */
static void draw(uint64_t *seed, struct sample *s)
{
	struct lyra2_params *p = &s->params;

	lyra2_params_default(p);
	p->version = random_in(seed, 0, 2) ? 30 : 25;
	p->sponge = random_in(seed, LYRA2_BLAKE2B, LYRA2_BLAMKA);
	if (p->version == 25 && p->sponge == LYRA2_BLAMKA)
		p->sponge = LYRA2_BLAKE2B;
	s->rotation = 128;
	if (p->version == 25)
		s->rotation = random_in(seed, 1, 2) * 128;
	p->t_cost = random_in(seed, 1, 4);
	p->rows = random_in(seed, 3, 6);
	p->cols = random_in(seed, 1, 5);
	p->lanes = 1;
	s->passwordlen = random_in(seed, 0, 20);
	s->saltlen = random_in(seed, 0, 20);
	s->keylen = random_in(seed, 1, 64);
}

/* 3 to 6 rows: row0 is often the same as row1, prev0 or prev1. */
static void draw_aliasing(uint64_t *seed, struct sample *s)
{
	s->params.cols = random_in(seed, 1, 2);
	s->params.t_cost = random_in(seed, 1, 9);
}

/* From 18 rows on, the windows of versions 2.5 and 3 differ. */
static void draw_windows(uint64_t *seed, struct sample *s)
{
	s->params.rows = random_in(seed, 18, 80);
	s->params.cols = random_in(seed, 1, 9);
	s->params.t_cost = random_in(seed, 1, 2);
}

static void draw_columns(uint64_t *seed, struct sample *s)
{
	s->params.cols = random_in(seed, 1, 130);
}

static void draw_lanes(uint64_t *seed, struct sample *s)
{
	struct lyra2_params *p = &s->params;

	p->version = 30;
	p->lanes = random_in(seed, 2, 8);
	p->rows = random_in(seed, 3 * p->lanes, 20 * p->lanes);
	s->rotation = 128;
}

/* The number of columns is a power of two. */
static void draw_powers(uint64_t *seed, struct sample *s)
{
	struct lyra2_params *p = &s->params;

	if (random_in(seed, 0, 3)) {
		draw_lanes(seed, s);
		p->lanes = 1U << random_in(seed, 0, 2);
	}
	p->rows = random_in(seed, 3 * p->lanes, 20 * p->lanes);
	p->cols = 1U << random_in(seed, 0, 7);
}

static void draw_inputs(uint64_t *seed, struct sample *s)
{
	s->passwordlen = random_in(seed, 0, INPUT);
	s->saltlen = random_in(seed, 0, INPUT);
	/*
	 * With 24 bytes of parameters, the padding just fits or just does not.
	 */
	if (random_in(seed, 0, 1)) {
		s->passwordlen = random_in(seed, 0, 130);
		s->saltlen = 64 * 4 - 24 - random_in(seed, 0, 2) -
			     s->passwordlen;
		if (s->saltlen > INPUT)
			s->saltlen %= 64;
	}
	s->keylen = random_in(seed, 1, KEY);
}

static const struct {
	const char *name;
	void (*draw)(uint64_t *seed, struct sample *s);
} kind[] = {
	{ "aliasing rows", draw_aliasing },
	{ "windows", draw_windows },
	{ "columns", draw_columns },
	{ "lanes", draw_lanes },
	{ "powers of two", draw_powers },
	{ "inputs and keys", draw_inputs },
};
enum { KINDS = sizeof(kind) / sizeof(kind[0]) };

static void compute(struct lyra2_ctx *ctx, const struct sample *s,
		    const char *name, uint8_t *key)
{
	memset(key, 0xa5, KEY + 1);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, name), 0);
	ck_assert_int_eq(lyra2_kdf_rotation(ctx, &s->params, s->rotation,
					    s->password, s->passwordlen,
					    s->salt, s->saltlen, key,
					    s->keylen), 0);
}

static void compare(struct lyra2_ctx *ctx, const struct sample *s, int i,
		    const char *name)
{
	const struct lyra2_params *p = &s->params;
	uint8_t want[KEY + 1], got[KEY + 1];

	compute(ctx, s, "plain", want);
	compute(ctx, s, name, got);
	ck_assert_msg(memcmp(want, got, sizeof(want)) == 0,
		      "%s, case %d: version %u sponge %u rotation %u t %u "
		      "rows %u cols %u lanes %u password %zu salt %zu "
		      "key %zu", name, i, p->version, p->sponge, s->rotation,
		      p->t_cost, p->rows, p->cols, p->lanes, s->passwordlen,
		      s->saltlen, s->keylen);
	ck_assert_uint_eq(got[s->keylen], 0xa5);
}

START_TEST(agrees_with_plain)
{
	const char *name = kernel[_i / KINDS];
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	uint64_t seed = (uint64_t)(_i % KINDS);
	struct sample s;
	int i;

	ROW(NULL);
	ck_assert_ptr_nonnull(ctx);
	for (i = 0; i < CASES; i++) {
		draw(&seed, &s);
		kind[_i % KINDS].draw(&seed, &s);
		random_fill(&seed, s.password, sizeof(s.password));
		random_fill(&seed, s.salt, sizeof(s.salt));
		compare(ctx, &s, i, name);
	}
	lyra2_ctx_free(ctx);
}
END_TEST

/* ---- the self test ---- */
/* Parameters for which kernels have loops of their own */
static const struct {
	uint32_t version, sponge, lanes, rotation;
	bool power_of_two;	/* the columns */
} loops[] = {
	{ 25, LYRA2_BLAKE2B, 1, 128, true },
	{ 25, LYRA2_BLAKE2B, 1, 256, true },
	{ 30, LYRA2_BLAKE2B, 1, 128, true },
	{ 30, LYRA2_BLAMKA, 1, 128, true },
	{ 30, LYRA2_BLAMKA, 2, 128, true },
	{ 30, LYRA2_BLAMKA, 2, 128, false },
	{ 30, LYRA2_BLAMKA, 4, 128, true },
};
static int broken;		/* which of them; -1: none */

static void break_loop(const struct lyra2_job *job)
{
	const struct lyra2_params *p = &job->params;

	dispatch_entry(dispatch_find("plain"))(job);
	if (broken >= 0 && p->version == loops[broken].version &&
	    p->sponge == loops[broken].sponge &&
	    p->lanes == loops[broken].lanes &&
	    job->rotation == loops[broken].rotation &&
	    !(p->cols & (p->cols - 1)) == loops[broken].power_of_two)
		job->key[job->keylen - 1] ^= 0x80;
}

START_TEST(self_test_reaches_each_loop)
{
	static _Alignas(64) uint8_t memory[SELFTEST_BYTES];
	static const uint8_t none[SELFTEST_BYTES];

	broken = _i;
	ck_assert_int_eq(selftest(break_loop, memory) != 0, _i < 0);
	ck_assert_mem_eq(memory, none, sizeof(none));
}
END_TEST

/* Lists all kernels but plain, with which the others are compared. */
static void find_kernels(void)
{
	const char *name;
	size_t i;
	int usable;

	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++) {
		if (!usable)
			printf("# %s: not run, this CPU cannot\n", name);
		else if (strcmp(name, "plain") != 0)
			kernel[kernels++] = name;
	}
}

int main(void)
{
	Suite *suite = suite_create("kernels");
	TCase *tc = tcase_create("agrees with plain");

	find_kernels();
	tcase_add_loop_test(tc, agrees_with_plain, 0, kernels * KINDS);
	tcase_add_loop_test(tc, self_test_reaches_each_loop, -1,
			    (int)(sizeof(loops) / sizeof(loops[0])));
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
