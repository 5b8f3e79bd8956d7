/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests what lyra2.h promises for each function, and the choice of kernels. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-main.h"
#include "core.h"
#include "dispatch.h"
#include "instrumented.h"
#include "kdf.h"
#include "selftest.h"

#define SETTING "$lyra2$t2n4c12p1$saltsalt"
enum { HASH_SIZE = sizeof(SETTING) + 1 + 43 };

static struct lyra2_params cheap;
static struct lyra2_ctx *ctx;

static void set_up(void)
{
	lyra2_params_default(&cheap);
	cheap.rows = 16;
	cheap.cols = 12;
	cheap.lanes = 1;
	ctx = lyra2_ctx_new();
	ck_assert_ptr_nonnull(ctx);
	errno = 0;
}

static void tear_down(void)
{
	lyra2_ctx_free(ctx);
}

static void assert_error(int r, int error)
{
	ck_assert_int_eq(r, -1);
	ck_assert_int_eq(errno, error);
	errno = 0;
}

START_TEST(kdf_refuses)
{
	const struct lyra2_params p = cheap;
	const struct lyra2_params init = LYRA2_PARAMS_INIT;
	struct lyra2_params no = cheap;
	uint8_t key[8] = { 0 };

	assert_error(lyra2_kdf(NULL, &p, "", 0, "", 0, key, 0), EINVAL);
	assert_error(lyra2_kdf(NULL, &p, "", 0, "", 0, NULL, 8), EINVAL);
	assert_error(lyra2_kdf(NULL, &p, NULL, 1, "", 0, key, 8), EINVAL);
	assert_error(lyra2_kdf(NULL, &p, "", 0, NULL, 1, key, 8), EINVAL);
	no.rows = 2;
	assert_error(lyra2_kdf(NULL, &no, "", 0, "", 0, key, 8), EINVAL);
	assert_error(lyra2_kdf(NULL, NULL, "", 0, "", 0, key, 8), EINVAL);
	assert_error(lyra2_kdf(NULL, &init, "", 0, "", 0, key, 8), EINVAL);
#if SIZE_MAX > UINT32_MAX
	const size_t big = (size_t)UINT32_MAX + 1;

	assert_error(lyra2_kdf(NULL, &p, "", big, "", 0, key, 8), EINVAL);
	assert_error(lyra2_kdf(NULL, &p, "", 0, "", big, key, 8), EINVAL);
	assert_error(lyra2_kdf(NULL, &p, "", 0, "", 0, key, big), EINVAL);
#endif
	ck_assert_mem_eq(key, (uint8_t[8]){ 0 }, 8);
}
END_TEST

START_TEST(no_input_is_empty_input)
{
	uint8_t x[32], y[32];

	ck_assert_int_eq(lyra2_kdf(NULL, &cheap, NULL, 0, NULL, 0, x, 32), 0);
	ck_assert_int_eq(lyra2_kdf(NULL, &cheap, "", 0, "", 0, y, 32), 0);
	ck_assert_mem_eq(x, y, 32);
}
END_TEST

/* Each error of the library has a text, and all other numbers share one. */
START_TEST(errors)
{
	static const int codes[] = {
		0, EACCES, ESTALE, EINVAL, EDOM, EMSGSIZE, EILSEQ, ERANGE,
		ENOMEM, ENOTSUP, EIO, EXDEV
	};
	size_t i, j;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		for (j = 0; j < i; j++)
			ck_assert_str_ne(lyra2_strerror(codes[i]),
					 lyra2_strerror(codes[j]));
	ck_assert_str_eq(lyra2_strerror(EXDEV), "unknown error");
	ck_assert_str_eq(lyra2_strerror(-1), "unknown error");
}
END_TEST

/* The key may overwrite the password or the salt. */
START_TEST(key_over_password)
{
	uint8_t buffer[32] = "password", key[32];

	cheap.lanes = (uint32_t)_i;
	ck_assert_int_eq(lyra2_kdf(NULL, &cheap, "password", 8, "saltsalt", 8,
				   key, sizeof(key)), 0);
	ck_assert_int_eq(lyra2_kdf(NULL, &cheap, buffer, 8, "saltsalt", 8,
				   buffer, sizeof(buffer)), 0);
	ck_assert_mem_eq(buffer, key, sizeof(key));
	memcpy(buffer, "saltsalt", 8);
	ck_assert_int_eq(lyra2_kdf(NULL, &cheap, "password", 8, buffer, 8,
				   buffer, sizeof(buffer)), 0);
	ck_assert_mem_eq(buffer, key, sizeof(key));
}
END_TEST

START_TEST(hash_over_password)
{
	char buffer[LYRA2_MAX_STRING] = "password";

	ck_assert_int_eq(lyra2_hash(NULL, LYRA2_METHOD_LYRA2, &cheap, buffer,
				    8, buffer, sizeof(buffer)), 0);
	ck_assert_int_eq(lyra2_verify(NULL, buffer, "password", 8), 0);
}
END_TEST

START_TEST(contexts_do_not_remember)
{
	static const uint32_t rows[] = { 3, 700, 8, 5, 1400, 3 };
	uint8_t x[32], y[32];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cheap.rows = rows[i];
		cheap.cols = i % 2 ? 51 : 1;
		cheap.lanes = i % 2 ? 2 : 1;
		cheap.rows *= cheap.lanes;
		ck_assert_int_eq(lyra2_kdf(NULL, &cheap, "p", 1, "s", 1, x,
					   32), 0);
		ck_assert_int_eq(lyra2_kdf(ctx, &cheap, "p", 1, "s", 1, y, 32),
				 0);
		ck_assert_mem_eq(x, y, 32);
	}
	errno = EXDEV;
	lyra2_ctx_free(NULL);
	ck_assert_int_eq(errno, EXDEV);
}
END_TEST

static const char *kernel;	/* NULL: the automatic choice */

static void *hash_again(void *want)
{
	struct lyra2_ctx *own = lyra2_ctx_new();
	char got[HASH_SIZE];
	int i, wrong = 0;

	if (!own || lyra2_ctx_set_kernel(own, kernel) < 0)
		return want;
	for (i = 0; i < 50; i++)
		wrong |= lyra2_crypt(i % 2 ? own : NULL, SETTING, "pw", 2, got,
				     sizeof(got)) != 0 ||
			 strcmp(got, want) != 0;
	lyra2_ctx_free(own);
	return wrong ? want : NULL;
}

/* All threads start before the self test has run. */
START_TEST(threads)
{
	static char want[] = SETTING
		"$dgvD/qHy9668T5Yj5pZ3.TiyETxW/1ivX2a4s1nAD8o";
	pthread_t thread[8];
	void *wrong;
	size_t i;

	for (i = 0; i < 8; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, hash_again,
						want), 0);
	for (i = 0; i < 8; i++) {
		ck_assert_int_eq(pthread_join(thread[i], &wrong), 0);
		ck_assert_ptr_null(wrong);
	}
}
END_TEST

/* 64 KiB of stack are enough for any kernel, however it was compiled. */
START_TEST(small_stack)
{
	static char want[] = SETTING
		"$dgvD/qHy9668T5Yj5pZ3.TiyETxW/1ivX2a4s1nAD8o";
	pthread_attr_t attr;
	pthread_t thread;
	const char *name;
	void *wrong;
	int usable;
	size_t i;

	ck_assert_int_eq(pthread_attr_init(&attr), 0);
	ck_assert_int_eq(pthread_attr_setstacksize(&attr, 64 << 10), 0);
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++) {
		if (!usable)
			continue;
		kernel = name;
		ck_assert_int_eq(pthread_create(&thread, &attr, hash_again,
						want), 0);
		ck_assert_int_eq(pthread_join(thread, &wrong), 0);
		ck_assert_ptr_null(wrong);
	}
	pthread_attr_destroy(&attr);
}
END_TEST

START_TEST(passwords_of_511_bytes)
{
	char pw[LYRA2_MAX_PASSWORD + 1], out[LYRA2_MAX_STRING] = "x";

	memset(pw, 'p', sizeof(pw));
	ck_assert_int_eq(lyra2_crypt(ctx, SETTING, pw, 511, out, sizeof(out)),
			 0);
	ck_assert_int_eq(lyra2_verify(ctx, out, pw, 511), 0);
	assert_error(lyra2_verify(ctx, out, pw, 510), EACCES);
	assert_error(lyra2_verify(ctx, out, pw, 512), EMSGSIZE);
	/* A setting without a hash matches no password. */
	assert_error(lyra2_verify(ctx, SETTING, pw, 511), EINVAL);
	assert_error(lyra2_verify(ctx, SETTING, pw, 512), EINVAL);
	assert_error(lyra2_crypt(ctx, SETTING, pw, 512, out, sizeof(out)),
		     EMSGSIZE);
	ck_assert_str_eq(out, "");
	assert_error(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &cheap, pw, 512, out,
				sizeof(out)), EMSGSIZE);
	ck_assert_str_eq(out, "");
}
END_TEST

/*
 * A password of crypt(3) has no byte of value 0; lyra2_kdf() takes any bytes.
 */
START_TEST(zero_bytes)
{
	char out[LYRA2_MAX_STRING] = "x";

	assert_error(lyra2_crypt(ctx, SETTING, "a\0b", 3, out, sizeof(out)),
		     EILSEQ);
	ck_assert_str_eq(out, "");
	assert_error(lyra2_crypt(ctx, SETTING, "", 1, out, sizeof(out)),
		     EILSEQ);
	ck_assert_int_eq(lyra2_crypt(ctx, SETTING, "a", 1, out, sizeof(out)),
			 0);
	assert_error(lyra2_verify(ctx, out, "a", 2), EILSEQ);
	ck_assert_int_eq(lyra2_kdf(ctx, &cheap, "a", 2, "\0", 1, out, 1), 0);
}
END_TEST

START_TEST(crypt_buffer)
{
	char out[HASH_SIZE + 1], same[HASH_SIZE] = SETTING;

	memset(out, 'x', sizeof(out));
	assert_error(lyra2_crypt(ctx, SETTING, "pw", 2, out, HASH_SIZE - 1),
		     ERANGE);
	ck_assert_str_eq(out, "");
	ck_assert_int_eq(out[1], 'x');
	assert_error(lyra2_crypt(ctx, SETTING, "pw", 2, out, 0), ERANGE);
	assert_error(lyra2_crypt(ctx, SETTING, "pw", 2, NULL, 0), EINVAL);
	assert_error(lyra2_crypt(ctx, NULL, "pw", 2, out, 9), EINVAL);
	ck_assert_int_eq(lyra2_crypt(ctx, SETTING, "pw", 2, out, HASH_SIZE),
			 0);
	ck_assert_int_eq(out[HASH_SIZE], 'x');
	/* out and setting are the same memory. */
	ck_assert_int_eq(lyra2_crypt(ctx, same, "pw", 2, same, sizeof(same)),
			 0);
	ck_assert_str_eq(same, out);
	ck_assert_int_eq(lyra2_crypt(ctx, same, "pw", 2, same, sizeof(same)),
			 0);
	ck_assert_str_eq(same, out);
}
END_TEST

static int gensalt(const void *rbytes, size_t n, char *out, size_t outsize)
{
	return lyra2_gensalt(LYRA2_METHOD_LYRA2, &cheap, rbytes, n, out,
			     outsize);
}

START_TEST(salts)
{
	char x[LYRA2_MAX_STRING], y[LYRA2_MAX_STRING];
	uint8_t rbytes[49] = { 0 };

	/* "saltsalt" in base64 */
	ck_assert_int_eq(gensalt("\xe2\x6c\x79\xe2\x6c\x79", 6, x,
				 sizeof(x)), 0);
	ck_assert_str_eq(x, SETTING);
	ck_assert_int_eq(gensalt(rbytes, 6, y, sizeof(SETTING)), 0);
	memset(y, 'x', sizeof(y));
	assert_error(gensalt(rbytes, 6, y, sizeof(SETTING) - 1), ERANGE);
	ck_assert_str_eq(y, "");
	y[0] = 'x';
	assert_error(gensalt(rbytes, 6, y, 0), ERANGE);
	ck_assert_int_eq(y[0], 'x');
	assert_error(gensalt(rbytes, 6, NULL, 0), EINVAL);
	ck_assert_int_eq(gensalt(rbytes, 48, y, sizeof(y)), 0);
	ck_assert_uint_eq(strlen(y), strlen(SETTING) - 8 + 64);
	assert_error(gensalt(rbytes, 49, y, sizeof(y)), EINVAL);
	ck_assert_str_eq(y, "");
	assert_error(gensalt(rbytes, 5, y, sizeof(y)), EINVAL);
	assert_error(gensalt(rbytes, 0, y, sizeof(y)), EINVAL);
	ck_assert_int_eq(lyra2_gensalt(LYRA2_METHOD_BASH_LYRA2, NULL, NULL, 0,
				       x, sizeof(x)), 0);
	ck_assert_int_eq(lyra2_gensalt(LYRA2_METHOD_BASH_LYRA2, NULL, NULL, 0,
				       y, sizeof(y)), 0);
	ck_assert_int_eq(strncmp(x, "$bashlyra2$t2n12c256p2$", 23), 0);
	ck_assert_uint_eq(strlen(x), 23 + 22);
	ck_assert_str_ne(x, y);
}
END_TEST

/* Parameters that a string cannot carry, or that cost too much */
START_TEST(gensalt_refuses)
{
	struct lyra2_params p = cheap;
	char out[LYRA2_MAX_STRING];

	assert_error(lyra2_gensalt(0, &p, NULL, 0, out, sizeof(out)), EINVAL);
	strcpy(out, "x");
	assert_error(lyra2_hash(ctx, 3, &p, "", 0, out, 0), EINVAL);
	ck_assert_str_eq(out, "x");
	assert_error(lyra2_hash(ctx, 3, &p, "", 0, NULL, 9), EINVAL);
	assert_error(lyra2_hash(ctx, 3, &p, "", 0, out, sizeof(out)), EINVAL);
	ck_assert_str_eq(out, "");
	p.sponge = LYRA2_BLAKE2B;
	assert_error(lyra2_gensalt(LYRA2_METHOD_LYRA2, &p, NULL, 0, out,
				   sizeof(out)), EINVAL);
	p = cheap;
	p.rows = 1 << 15;
	p.cols = 512;
	assert_error(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &p, "pw", 2, out,
				sizeof(out)), EDOM);
	ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(hash_verifies)
{
	char x[LYRA2_MAX_STRING], y[LYRA2_MAX_STRING];

	ck_assert_int_eq(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &cheap, "pw", 2,
				    x, sizeof(x)), 0);
	ck_assert_int_eq(lyra2_hash(NULL, LYRA2_METHOD_LYRA2, &cheap, "pw", 2,
				    y, sizeof(y)), 0);
	ck_assert_str_ne(x, y);
	ck_assert_int_eq(lyra2_verify(ctx, x, "pw", 2), 0);
	ck_assert_int_eq(lyra2_verify(NULL, y, "pw", 2), 0);
	assert_error(lyra2_verify(ctx, x, "pW", 2), EACCES);
	assert_error(lyra2_verify(ctx, x, "pw", 1), EACCES);
	assert_error(lyra2_verify(ctx, x, "", 0), EACCES);
	assert_error(lyra2_verify(ctx, x, NULL, 0), EACCES);
	assert_error(lyra2_verify(ctx, NULL, "pw", 2), EINVAL);
	assert_error(lyra2_verify(ctx, x, NULL, 1), EINVAL);
	assert_error(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &cheap, "pw", 2, x,
				40), ERANGE);
	ck_assert_str_eq(x, "");
}
END_TEST

/* A hash with t=4, 2^5 rows, 16 columns and 2 lanes is weaker, or is not. */
START_TEST(needs_rehash)
{
	static const struct {
		uint32_t method, t_cost, rows, cols, lanes;
		bool weaker;
	} wanted[] = {
		{ LYRA2_METHOD_LYRA2, 4, 32, 16, 2, false },
		{ LYRA2_METHOD_LYRA2, 5, 32, 16, 2, true },
		{ LYRA2_METHOD_LYRA2, 3, 32, 16, 2, false },
		{ LYRA2_METHOD_LYRA2, 4, 64, 16, 2, true },
		{ LYRA2_METHOD_LYRA2, 4, 32, 17, 2, true },
		{ LYRA2_METHOD_LYRA2, 4, 16, 16, 2, false },
		{ LYRA2_METHOD_LYRA2, 4, 32, 16, 1, true },
		{ LYRA2_METHOD_LYRA2, 4, 32, 16, 4, false },
		{ LYRA2_METHOD_BASH_LYRA2, 4, 32, 16, 2, true },
		/* More of one value and less of another: the hash is kept. */
		{ LYRA2_METHOD_LYRA2, 9, 16, 16, 2, false },
		{ LYRA2_METHOD_LYRA2, 2, 64, 12, 4, false },
		{ LYRA2_METHOD_BASH_LYRA2, 4, 16, 16, 2, false },
		/* Twice the memory, for half of the passes */
		{ LYRA2_METHOD_LYRA2, 2, 64, 16, 2, true },
	};
	struct lyra2_params p = { 30, LYRA2_BLAMKA, 4, 32, 16, 2, { 0 } };
	char x[LYRA2_MAX_STRING];
	size_t i;

	ck_assert_int_eq(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &p, "pw", 2, x,
				    sizeof(x)), 0);
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		p.t_cost = wanted[i].t_cost;
		p.rows = wanted[i].rows;
		p.cols = wanted[i].cols;
		p.lanes = wanted[i].lanes;
		errno = ESTALE;
		ck_assert_msg(lyra2_needs_rehash(x, wanted[i].method, &p) ==
			      -wanted[i].weaker && errno == ESTALE, "%zu", i);
	}
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, NULL), ESTALE);
}
END_TEST

START_TEST(needs_no_rehash_for_what_cannot_be)
{
	struct lyra2_params p = { 30, LYRA2_BLAMKA, 4, 48, 16, 2, { 0 } };
	char x[LYRA2_MAX_STRING];

	ck_assert_int_eq(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &cheap, "pw", 2, x,
				    sizeof(x)), 0);
	assert_error(lyra2_needs_rehash(x, 0, NULL), EINVAL);
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, &p), EINVAL);
	p.rows = 1 << 15;
	p.cols = 4096;
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, &p), EDOM);
}
END_TEST

START_TEST(needs_rehash_for_one_value)
{
	struct lyra2_params p = { 30, LYRA2_BLAMKA, 4, 32, 16, 2, { 0 } };
	char x[LYRA2_MAX_STRING];

	/* Half of the memory, for twice the time */
	ck_assert_int_eq(lyra2_crypt(ctx, "$lyra2$t9n4c16p2$"
				     "saltsaltsaltsaltsalts.", "pw", 2, x,
				     sizeof(x)), 0);
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, &p), ESTALE);
	/* A short salt; a hash with bash256 where no bash256 is wanted */
	ck_assert_int_eq(lyra2_crypt(ctx, SETTING, "pw", 2, x, sizeof(x)), 0);
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, &cheap),
		     ESTALE);
	/* One character less than in a new hash */
	ck_assert_int_eq(lyra2_crypt(ctx, "$lyra2$t2n4c12p1$"
		"saltsaltsaltsaltsalts", "pw", 2, x, sizeof(x)), 0);
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, &cheap),
		     ESTALE);
	/* A long salt makes up for nothing. */
	ck_assert_int_eq(lyra2_crypt(ctx, SETTING "saltsaltsaltsaltsalt", "pw",
				     2, x, sizeof(x)), 0);
	assert_error(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, NULL), ESTALE);
	ck_assert_int_eq(lyra2_hash(ctx, LYRA2_METHOD_BASH_LYRA2, &cheap, "pw",
				    2, x, sizeof(x)), 0);
	ck_assert_int_eq(lyra2_needs_rehash(x, LYRA2_METHOD_LYRA2, &cheap), 0);
}
END_TEST

/* Too little address space is ENOMEM, and the context can be used again. */
START_TEST(enomem)
{
	const struct rlimit limit = { 256 << 20, 256 << 20 };
	struct lyra2_params big = cheap;
	char out[LYRA2_MAX_STRING] = "x";
	uint8_t key[32] = { 0 };

	big.rows = 1 << 14;
	big.cols = 512;		/* 768 MiB */
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	assert_error(lyra2_kdf(NULL, &big, "p", 1, "s", 1, key, 32), ENOMEM);
	assert_error(lyra2_kdf(ctx, &big, "p", 1, "s", 1, key, 32), ENOMEM);
	ck_assert_mem_eq(key, (uint8_t[32]){ 0 }, 32);
	big.rows = 1 << 15;
	big.cols = 1366;	/* 4 GiB, which are little in 32 bits */
	assert_error(lyra2_kdf(ctx, &big, "p", 1, "s", 1, key, 32), ENOMEM);
	big.cols = 256;
	assert_error(lyra2_hash(ctx, LYRA2_METHOD_LYRA2, &big, "p", 1, out,
				sizeof(out)), ENOMEM);
	ck_assert_str_eq(out, "");
	assert_error(lyra2_verify(ctx, "$lyra2$t2n14c512p1$"
		"saltsalt$...........................................",
		"p", 1), ENOMEM);
	ck_assert_int_eq(lyra2_kdf(ctx, &cheap, "p", 1, "s", 1, key, 32), 0);
}
END_TEST

/* The lanes' states alone take 4 GiB, which are little in 32 bits. */
START_TEST(enomem_of_lanes)
{
	const struct rlimit limit = { (rlim_t)5 << 30, (rlim_t)5 << 30 };
	const struct lyra2_params p = {
		30, LYRA2_BLAMKA, 1, 3 * 11184811, 1, 11184811, { 0 }
	};
	uint8_t key[8];

	if (sizeof(limit.rlim_cur) == 8)
		ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	assert_error(lyra2_kdf(NULL, &p, "p", 1, "s", 1, key, 8), ENOMEM);
}
END_TEST

/* Room for the matrix but not for aligning it to a huge page */
START_TEST(tight_memory)
{
	struct rlimit limit;
	struct lyra2_params p = cheap;
	uint8_t key[32];
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%lu", &pages), 1);
	fclose(f);
	p.rows = 1 << 10;
	p.cols = 64;		/* 6 MiB */
	limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (7 << 20);
	limit.rlim_max = limit.rlim_cur;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_int_eq(lyra2_kdf(NULL, &p, "p", 1, "s", 1, key, 32), 0);
}
END_TEST

START_TEST(kernel_list)
{
	const char *first = lyra2_kernel_at(0, NULL), *name;
	int usable, plain = 0;
	size_t i, j;

	ck_assert_int_eq(kdf_kernel(ctx), KERNELS);	/* none is forced */
	ck_assert_str_eq(first, lyra2_kernel_for(2, NULL));
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++) {
		ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, name) == 0, usable);
		plain |= usable && strcmp(name, "plain") == 0;
		for (j = 0; j < i; j++)
			ck_assert_str_ne(name, lyra2_kernel_at(j, NULL));
	}
	ck_assert_uint_eq(i, KERNELS);
	ck_assert(plain);
	ck_assert_ptr_null(lyra2_kernel_at(SIZE_MAX, NULL));
	assert_error(lyra2_ctx_set_kernel(ctx, "nonsense"), ENOTSUP);
	assert_error(lyra2_ctx_set_kernel(ctx, ""), ENOTSUP);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, NULL), 0);
	ck_assert_int_eq(kdf_kernel(ctx), KERNELS);
}
END_TEST

START_TEST(kernel_for)
{
	const char *why = "unchanged", *name;

	ck_assert_str_eq(lyra2_kernel_for(2, NULL), lyra2_kernel_at(0, NULL));
	name = lyra2_kernel_for(1, &why);
	ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, name), 0);
	ck_assert_str_ne(why, "unchanged");
	/* Only the tool reads the environment. */
	setenv("LYRA2_KERNEL", "nonsense", 1);
	ck_assert_str_eq(lyra2_kernel_for(1, NULL), name);
}
END_TEST

static uint32_t broken_sponge;

/* A kernel that gets one bit wrong, with one sponge */
static void broken_core(const struct lyra2_job *job)
{
	dispatch_entry(KERNEL_plain)(job);
	if (job->params.sponge == broken_sponge)
		job->key[job->keylen - 1] ^= 1;
}

START_TEST(self_test)
{
	static _Alignas(64) uint8_t memory[SELFTEST_BYTES];
	enum kernel k;

	for (k = 0; k < KERNELS; k++)
		if (dispatch_usable(k))
			ck_assert(selftest(dispatch_entry(k), memory));
	ck_assert_int_eq(selftest(lyra2_core_alone, memory), 1);
	ck_assert_int_eq(selftest(lyra2_core_together, memory), 1);
	for (broken_sponge = LYRA2_BLAKE2B;
	     broken_sponge <= LYRA2_BLAMKA; broken_sponge++)
		ck_assert_int_eq(selftest(broken_core, memory), 0);
	ck_assert_int_eq(selftest(broken_core, memory), 1);
}
END_TEST

/* After fork(2) the child finds zeros in a context's memory, without harm. */
START_TEST(fork_with_context)
{
	char want[HASH_SIZE], got[HASH_SIZE];
	int status;
	pid_t pid;

	ck_assert_int_eq(lyra2_crypt(ctx, SETTING, "pw", 2, want,
				     sizeof(want)), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(lyra2_crypt(ctx, SETTING, "pw", 2, got, sizeof(got)) ||
		      strcmp(got, want) != 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

static void add_limits(Suite *suite, TCase *tc)
{
	if (INSTRUMENTED) {
		check_skip(suite, "enomem, tight_memory, small_stack # SKIP "
			   "the instrumentation needs memory of its own");
		return;
	}
	tcase_add_test(tc, small_stack);
	tcase_add_test(tc, enomem);
	tcase_add_test(tc, enomem_of_lanes);
	tcase_add_test(tc, tight_memory);
}

int main(void)
{
	Suite *suite = suite_create("api");
	TCase *tc = tcase_create("api");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, threads);
	tcase_add_test(tc, kdf_refuses);
	tcase_add_test(tc, no_input_is_empty_input);
	tcase_add_test(tc, errors);
	tcase_add_loop_test(tc, key_over_password, 1, 3);	/* lanes */
	tcase_add_test(tc, hash_over_password);
	tcase_add_test(tc, contexts_do_not_remember);
	tcase_add_test(tc, passwords_of_511_bytes);
	tcase_add_test(tc, zero_bytes);
	tcase_add_test(tc, crypt_buffer);
	tcase_add_test(tc, salts);
	tcase_add_test(tc, gensalt_refuses);
	tcase_add_test(tc, hash_verifies);
	tcase_add_test(tc, needs_rehash);
	tcase_add_test(tc, needs_no_rehash_for_what_cannot_be);
	tcase_add_test(tc, needs_rehash_for_one_value);
	tcase_add_test(tc, kernel_list);
	tcase_add_test(tc, kernel_for);
	tcase_add_test(tc, self_test);
	tcase_add_test(tc, fork_with_context);
	add_limits(suite, tc);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
