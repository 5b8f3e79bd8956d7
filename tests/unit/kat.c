/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known answers on the way to a hash, each from two implementations that
 * share nothing with this one: the permutations, the state after the input
 * and the key, for the password "password", the salt "saltsalt", T=1, R=5
 * and C=3.
 */
#include "check-main.h"

/* The text of the kernels, for what they don't export. */
#define CORE_KERNEL kat_core
#define CORE_TARGET
#define CORE_LANES 1
#include "core-kernel.h"
#include "row-plain.h"
#include "core-body.h"
#include "core-entry.h"

static const struct shape shape[] = {
	[LYRA2_BLAKE2B] = { LYRA2_BLAKE2B, 128, 12, 1, 1, 1 },
	[LYRA2_BLAMKA] = { LYRA2_BLAMKA, 128, 12, 1, 1, 1 },
	[LYRA2_HALF_BLAMKA] = { LYRA2_HALF_BLAMKA, 128, 12, 1, 1, 1 },
};

static const struct {
	uint64_t once[4], full[4];
} permuted[] = {
	[LYRA2_BLAKE2B] = {
		{ 0xd11c2568289a5ce3, 0xadf896b5d4e84d75,
		  0x99542821cbc51a74, 0xfa07bf703990162e },
		{ 0xe69f10665547562d, 0xfe66e82e6d2aaf27,
		  0xe5a7bf12ac331c68, 0x0cc2cf054a6a175a },
	},
	[LYRA2_BLAMKA] = {
		{ 0xab1ac4c6aebd2728, 0x23003ae20aef6593,
		  0xaac67cf7f667677c, 0xf33d574e130140b3 },
		{ 0xa090aae132e65bfa, 0x3492b8b39792ed7e,
		  0x1b3f494cfae94e04, 0x88054fc4668a582c },
	},
	[LYRA2_HALF_BLAMKA] = {
		{ 0xc3b177b249262d17, 0xa4e84f87791d86ff,
		  0xd74148765f025b2b, 0x70b91cfd13e74a94 },
		{ 0xd70a2b3edfc2275b, 0x5106b8e11d504747,
		  0x65e94372931aa091, 0x868a647ec9110a08 },
	},
};

START_TEST(permutation)
{
	const struct shape k = shape[_i];
	struct state s;
	uint64_t got[4];

	state_init(&s);
	permute(k, &s, 1, 1);
	row_store(got, s.a);
	ck_assert_mem_eq(got, permuted[_i].once, sizeof(got));
	state_init(&s);
	permute_full(k, &s);
	row_store(got, s.a);
	ck_assert_mem_eq(got, permuted[_i].full, sizeof(got));
}
END_TEST

static const struct {
	uint32_t version, sponge, rotation, words, lanes, rows;
	uint64_t absorbed[2];	/* word 0 of each lane's state */
	uint8_t key[32];
} answer[] = {
	{ 25, LYRA2_BLAKE2B, 128, 12, 1, 5, { 0x573b3cf7cb11d9bc },
	  { 0x28, 0x05, 0x0f, 0x51, 0x37, 0x9d, 0x0c, 0x2d, 0x7d, 0x51, 0xf4,
	    0xf5, 0xeb, 0xa1, 0x2d, 0x61, 0xe4, 0x47, 0x18, 0x2b, 0x6c, 0x61,
	    0x29, 0xab, 0xcd, 0x6b, 0x4d, 0x8c, 0xe7, 0x1f, 0x55, 0x9c } },
	{ 25, LYRA2_BLAKE2B, 256, 12, 1, 5, { 0x573b3cf7cb11d9bc },
	  { 0xfd, 0x7e, 0x67, 0x8d, 0x4f, 0xee, 0x75, 0x23, 0xd6, 0xea, 0x9e,
	    0x9d, 0x74, 0x51, 0xd7, 0xd7, 0x16, 0x67, 0x0c, 0x4d, 0x49, 0x06,
	    0x18, 0xb8, 0x8c, 0xce, 0x8f, 0xe0, 0xdf, 0x77, 0x44, 0xf7 } },
	{ 30, LYRA2_BLAKE2B, 128, 12, 1, 5, { 0x573b3cf7cb11d9bc },
	  { 0x44, 0x76, 0xdd, 0x7e, 0xcc, 0x78, 0xc7, 0x0c, 0x1e, 0xc8, 0x9e,
	    0xa6, 0xee, 0x92, 0xe0, 0x39, 0x06, 0x5f, 0x91, 0x85, 0xc0, 0x99,
	    0x8e, 0x6d, 0x91, 0x2f, 0xe1, 0x50, 0x73, 0x48, 0x2f, 0xd7 } },
	{ 30, LYRA2_BLAMKA, 128, 12, 1, 5, { 0x15d4c60adf5b854e },
	  { 0x2e, 0xce, 0xcb, 0xd6, 0x60, 0x53, 0xb5, 0xa0, 0xe8, 0x7c, 0xd0,
	    0x03, 0xfc, 0x1b, 0xa7, 0x8d, 0xec, 0xa2, 0x2c, 0xc6, 0x02, 0x47,
	    0x79, 0x0e, 0x24, 0x6f, 0xa5, 0x5d, 0x7f, 0x39, 0xae, 0x4c } },
	{ 30, LYRA2_HALF_BLAMKA, 128, 12, 1, 5, { 0xf2bca9feda62a913 },
	  { 0x89, 0x44, 0x66, 0x7c, 0x0b, 0x46, 0x18, 0xce, 0x12, 0xbb, 0x59,
	    0xf1, 0x9d, 0x2b, 0x34, 0xc1, 0xa1, 0x0a, 0xae, 0x3c, 0xe3, 0x35,
	    0x50, 0x19, 0x78, 0x41, 0xa5, 0xbd, 0x11, 0x04, 0x50, 0xb9 } },
	{ 30, LYRA2_BLAMKA, 128, 8, 1, 5, { 0x15d4c60adf5b854e },
	  { 0x8a, 0x9e, 0x0d, 0x82, 0x8e, 0x4a, 0xe3, 0xd3, 0xa8, 0xca, 0xd5,
	    0x7a, 0x23, 0x78, 0x54, 0xff, 0x62, 0x7a, 0xd6, 0x5d, 0x03, 0xa1,
	    0x76, 0x42, 0xc7, 0x97, 0x38, 0xb9, 0x34, 0xdb, 0x55, 0xc6 } },
	{ 30, LYRA2_BLAMKA, 128, 12, 2, 8,
	  { 0x3168700e0bbe4508, 0x9a800258808b7a8c },
	  { 0xc9, 0x37, 0x20, 0x50, 0xaf, 0xc8, 0x40, 0xb4, 0x5d, 0xc4, 0x00,
	    0xb3, 0x8a, 0xda, 0x61, 0x9e, 0x3f, 0x02, 0x39, 0xa1, 0x64, 0xad,
	    0x9d, 0xbb, 0x81, 0x87, 0xc5, 0xbd, 0x4f, 0x44, 0x57, 0x93 } },
};
enum { ANSWERS = sizeof(answer) / sizeof(answer[0]) };

static struct lyra2_params answer_params(int i)
{
	return (struct lyra2_params){
		.version = answer[i].version,
		.sponge = answer[i].sponge,
		.rotation = answer[i].rotation,
		.t_cost = 1,
		.rows = answer[i].rows,
		.cols = 3,
		.lanes = answer[i].lanes,
		.block_words = answer[i].words,
		.rho = 1,
	};
}

START_TEST(input)
{
	const struct lyra2_job job = {
		.params = answer_params(_i),
		.password = (const uint8_t *)"password",
		.passwordlen = 8,
		.salt = (const uint8_t *)"saltsalt",
		.saltlen = 8,
		.keylen = 32,
	};
	struct lane lane;
	uint32_t i;

	for (i = 0; i < answer[_i].lanes; i++) {
		bootstrap(shape[answer[_i].sponge], &job, &lane, i);
		ck_assert_uint_eq(row_word0(lane.s.a), answer[_i].absorbed[i]);
	}
}
END_TEST

START_TEST(key)
{
	const struct lyra2_params p = answer_params(_i);
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	const char *name;
	uint8_t got[32];
	size_t i;
	int usable;

	ck_assert_ptr_nonnull(ctx);
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++) {
		if (!usable)
			continue;
		ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, name), 0);
		ck_assert_int_eq(lyra2_kdf(ctx, &p, "password", 8, "saltsalt",
					   8, got, sizeof(got)), 0);
		ck_assert_msg(memcmp(got, answer[_i].key, sizeof(got)) == 0,
			      "kernel %s", name);
	}
	lyra2_ctx_free(ctx);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kat");
	TCase *tc = tcase_create("checkpoints");

	tcase_add_loop_test(tc, permutation, LYRA2_BLAKE2B,
			    LYRA2_HALF_BLAMKA + 1);
	tcase_add_loop_test(tc, input, 0, ANSWERS);
	tcase_add_loop_test(tc, key, 0, ANSWERS);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
