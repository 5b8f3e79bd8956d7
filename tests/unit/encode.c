/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The strings: what is accepted and written, what is refused and why, and
 * that a hash has one spelling, however a valid string is bent.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "encode.h"

#define SALT "saltsalt"
#define SALT22 "./0123456789ABYZabyz/."
#define SALT64 "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"abcdefghijklmnopqrstuvwxyz"
#define ZERO32 "..........................................."
#define P "$lyra2$v=30$t=1$r=8$c=2$"

static struct lyra2_params p;
static char why[160];

/* The setting that string_encode() makes of what string_decode() read. */
static void encode(const char *string, char *out, size_t outsize)
{
	struct lyra2_string s;

	ck_assert_int_eq(string_decode(string, &s, why, sizeof(why)), 0);
	ck_assert_int_eq(string_encode(&s, out, outsize), 0);
	ck_assert_uint_eq(strlen(out), s.settinglen);
}

static const struct {
	const char *string;
	struct lyra2_params params;
} good[] = {
	{ "$lyra2$v=30$t=2$r=4096$c=256$p=4$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 2, 4096, 256, 4, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=2$r=2048$c=256$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 2, 2048, 256, 1, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=1$r=3$c=1$f=blake2b$" SALT22,
	  { 30, LYRA2_BLAKE2B, 128, 1, 3, 1, 1, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=9$r=100$c=10$p=2$f=blake2b$" SALT,
	  { 30, LYRA2_BLAKE2B, 128, 9, 100, 10, 2, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=9$r=24$c=10$p=8$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 9, 24, 10, 8, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=25$t=1$r=4$c=256$" SALT,
	  { 25, LYRA2_BLAKE2B, 128, 1, 4, 256, 1, 12, 1, 0, { 0 } } },
	{ P SALT64, { 30, LYRA2_BLAMKA, 128, 1, 8, 2, 1, 12, 1, 0, { 0 } } },
	{ P "o=bash256$" SALT, { 30, LYRA2_BLAMKA, 128, 1, 8, 2, 1, 12, 1,
				 LYRA2_BASH256, { 0 } } },
	{ "$lyra2$v=25$t=1$r=4$c=256$o=bash256$" SALT,
	  { 25, LYRA2_BLAKE2B, 128, 1, 4, 256, 1, 12, 1, LYRA2_BASH256,
	    { 0 } } },
	{ "$lyra2$v=30$t=9$r=100$c=10$p=2$f=blake2b$o=bash256$" SALT,
	  { 30, LYRA2_BLAKE2B, 128, 9, 100, 10, 2, 12, 1, LYRA2_BASH256,
	    { 0 } } },
	/* the limits: 1 GiB, 2^12 columns, and 2^28 of work */
	{ "$lyra2$v=30$t=1$r=43690$c=256$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 1, 43690, 256, 1, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=1$r=11184810$c=1$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 1, 11184810, 1, 1, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=1$r=3$c=4096$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 1, 3, 4096, 1, 12, 1, 0, { 0 } } },
	{ "$lyra2$v=30$t=1023$r=1024$c=248$" SALT,
	  { 30, LYRA2_BLAMKA, 128, 1023, 1024, 248, 1, 12, 1, 0, { 0 } } },
};

/* With the "$" of a hash or without it, as other methods of crypt(3). */
START_TEST(accepts)
{
	char with[LYRA2_MAX_STRING], out[LYRA2_MAX_STRING];

	ck_assert_msg(lyra2_parse(good[_i].string, &p, why, sizeof(why)) == 1,
		      "%s: %s", good[_i].string, why);
	ck_assert_str_eq(why, "hash: missing");
	ck_assert_mem_eq(&p, &good[_i].params, sizeof(p));
	snprintf(with, sizeof(with), "%s$", good[_i].string);
	ck_assert_int_eq(lyra2_parse(with, &p, why, sizeof(why)), 1);
	ck_assert_mem_eq(&p, &good[_i].params, sizeof(p));
	encode(good[_i].string, out, sizeof(out));
	ck_assert_str_eq(out, good[_i].string);
	encode(with, out, sizeof(out));
	ck_assert_str_eq(out, good[_i].string);
	snprintf(with, sizeof(with), "%s$" ZERO32, good[_i].string);
	ck_assert_int_eq(lyra2_parse(with, &p, NULL, 0), 0);
	ck_assert_mem_eq(&p, &good[_i].params, sizeof(p));
}
END_TEST

static const struct {
	const char *string;
	int error;
	const char *why;	/* how the sentence begins */
} bad[] = {
	{ "", EINVAL, "string:" },
	{ "lyra2$v=30$t=1$r=8$c=2$" SALT, EINVAL, "string:" },
	{ "$lyra2$t=1$r=8$c=2$" SALT, EINVAL, "string:" },
	{ "$Lyra2$v=30$t=1$r=8$c=2$" SALT, EINVAL, "string:" },
	{ " " P SALT, EINVAL, "string:" },
	{ "$lyra2$v=3$t=1$r=8$c=2$" SALT, EINVAL, "version:" },
	{ "$lyra2$v=2.5$t=1$r=8$c=2$" SALT, EINVAL, "version:" },
	{ "$lyra2$v=$t=1$r=8$c=2$" SALT, EINVAL, "version:" },
	{ "$lyra2$v=30$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ "$lyra2$v=30$t=0$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ "$lyra2$v=30$t=01$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ "$lyra2$v=30$t=-1$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ "$lyra2$v=30$t= 1$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ "$lyra2$v=30$t=4294967296$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ "$lyra2$v=30$t=1$" SALT, EINVAL, "rows:" },
	{ "$lyra2$v=30$t=1$c=2$r=8$" SALT, EINVAL, "rows:" },
	{ "$lyra2$v=30$t=1$r=2$c=2$" SALT, EINVAL, "rows: 2 is out" },
	{ "$lyra2$v=30$t=1$r=5$c=2$p=2$" SALT, EINVAL, "rows: 5 is out" },
	{ "$lyra2$v=30$t=1$r=8$" SALT, EINVAL, "cols:" },
	{ "$lyra2$v=30$t=1$r=8$c=02$" SALT, EINVAL, "cols:" },
	{ "$lyra2$v=30$t=1$r=8$c=2$p=1$" SALT, EINVAL, "lanes:" },
	{ "$lyra2$v=30$t=1$r=8$c=2$p=02$" SALT, EINVAL, "lanes:" },
	{ "$lyra2$v=25$t=1$r=8$c=2$p=2$" SALT, EINVAL, "lanes: 2 is not 1" },
	/* defaults, sponges that no string names, and what is unknown */
	{ P "f=blamka$" SALT, EINVAL, "parameters:" },
	{ P "f=half-blamka$" SALT, EINVAL, "parameters:" },
	{ P "f=$" SALT, EINVAL, "parameters:" },
	{ P "f=blake2b$p=2$" SALT, EINVAL, "parameters:" },
	{ P "f=blake2b$f=blake2b$" SALT, EINVAL, "parameters:" },
	{ "$lyra2$v=25$t=1$r=8$c=2$f=blake2b$" SALT, EINVAL, "parameters:" },
	{ "$lyra2$v=25$t=1$r=8$c=2$f=half-blamka$" SALT, EINVAL,
	  "parameters:" },
	{ P "o=none$" SALT, EINVAL, "parameters:" },
	{ P "o=bash512$" SALT, EINVAL, "parameters:" },
	{ P "o=BASH256$" SALT, EINVAL, "parameters:" },
	{ P "o=bash256$o=bash256$" SALT, EINVAL, "parameters:" },
	{ P "o=bash256$f=blake2b$" SALT, EINVAL, "parameters:" },
	{ "$lyra2$v=30$o=bash256$t=1$r=8$c=2$" SALT, EINVAL, "t_cost:" },
	{ P "o=bash256", EINVAL, "parameters:" },
	{ P "o=bash256$", EINVAL, "salt:" },
	{ P "o=bash256$" SALT "$" ZERO32 ZERO32, EINVAL, "hash:" },
	{ P "x=1$" SALT, EINVAL, "parameters:" },
	{ P "$x=1$" SALT, EINVAL, "salt:" },
	/* the form with commas, which no release had */
	{ "$lyra2$v=30$t=1,r=8,c=2$c2FsdHNhbHQ$", EINVAL, "rows:" },
	{ "$lyra2$v=30$t=1$r=8,c=2$" SALT, EINVAL, "cols:" },
	{ "$lyra2$v=30$t=1$r=8$c=2,p=2$" SALT, EINVAL, "parameters:" },
	{ "$lyra2$v=30$t=1$r=8$c=2", EINVAL, "parameters:" },
	{ P, EINVAL, "salt:" },
	{ P "$" SALT, EINVAL, "salt:" },
	{ P "saltsal$", EINVAL, "salt:" },
	{ P SALT64 "s$", EINVAL, "salt:" },
	{ P "saltsalt=$", EINVAL, "salt:" },
	{ P "salt+salt$", EINVAL, "salt:" },
	{ P "salt@salt$", EINVAL, "salt:" },	/* beside 'A', */
	{ P "salt[salt$", EINVAL, "salt:" },	/* 'Z', */
	{ P "salt`salt$", EINVAL, "salt:" },	/* 'a' */
	{ P "salt{salt$", EINVAL, "salt:" },	/* and 'z' */
	{ P "salt:salt", EINVAL, "salt:" },
	{ P "salt\nsalt", EINVAL, "salt:" },
	{ P "salt\xc3\xa9salt$", EINVAL, "salt:" },
	/* hashes of 1, 16, 31, 33 and 64 bytes; then other 43 characters */
	{ P SALT "$$", EINVAL, "hash:" },
	{ P SALT "$..", EINVAL, "hash:" },
	{ P SALT "$......................", EINVAL, "hash:" },
	{ P SALT "$..........................................", EINVAL,
	  "hash:" },
	{ P SALT "$" ZERO32 ".", EINVAL, "hash:" },
	{ P SALT "$" ZERO32 ZERO32, EINVAL, "hash:" },
	{ P SALT "$" ZERO32 "$", EINVAL, "hash:" },
	{ P SALT "$" ZERO32 "\n", EINVAL, "hash:" },
	{ P SALT "$.........................................=.", EINVAL,
	  "hash:" },
	{ P SALT "$.........................................:.", EINVAL,
	  "hash:" },
	{ P SALT "$.........................................\xff.", EINVAL,
	  "hash:" },
	/* unused bits */
	{ P SALT "$........................................../", EINVAL,
	  "hash:" },
	{ P SALT "$..........................................0", EINVAL,
	  "hash:" },
	{ P SALT "$..........................................=", EINVAL,
	  "hash:" },
	/* a matrix of 1 GiB, and 1.3 GiB of lanes */
	{ "$lyra2$v=30$t=1$r=11184810$c=1$p=3728270$" SALT, EDOM,
	  "rows * cols: 11184810 * 1 and lanes: 3728270 take 2446671 KiB" },
	{ "$lyra2$v=30$t=1$r=4294967295$c=4294967295$" SALT, -1, "rows *" },
	{ "$lyra2$v=30$t=1$r=4294967295$c=1$" SALT, -1, "rows *" },
	{ "$lyra2$v=30$t=1$r=43691$c=256$" SALT, EDOM, "rows *" },
	{ "$lyra2$v=30$t=1$r=4294967295$c=1$p=1431655765$" SALT, -1,
	  "rows *" },
	{ "$lyra2$v=30$t=4294967295$r=3$c=1$" SALT, EDOM, "t_cost: (" },
	{ "$lyra2$v=30$t=1023$r=1024$c=249$" SALT, EDOM, "t_cost: (1023 + "
	  "1) * 1024 * (249 + 8) is more work than the limit, 268435456" },
	{ "$lyra2$v=30$t=2$r=11184810$c=1$" SALT, EDOM, "t_cost: (" },
	{ "$lyra2$v=30$t=1$r=3$c=4097$" SALT, EDOM,
	  "cols: 4097 is more than the limit, 4096" },
};

/* Every function that takes a string refuses it alike. */
START_TEST(refuses)
{
	const char *s = bad[_i].string;
	char out[LYRA2_MAX_STRING] = "x";
	struct lyra2_params before;
	int error;

	memset(&p, 0x55, sizeof(p));
	before = p;
	errno = 0;
	ck_assert_msg(lyra2_parse(s, &p, why, sizeof(why)) == -1, "%s", s);
	error = errno;
	ck_assert_msg(error == EINVAL || error == EDOM, "%s: %d", s, error);
	if (bad[_i].error > 0)
		ck_assert_int_eq(error, bad[_i].error);
	ck_assert_msg(strncmp(why, bad[_i].why, strlen(bad[_i].why)) == 0,
		      "%s: %s", s, why);
	ck_assert_int_eq(lyra2_parse(s, &p, NULL, 0), -1);
	ck_assert_mem_eq(&p, &before, sizeof(p));
	errno = 0;
	if (strncmp(why, "hash:", 5) == 0) {
		/* crypt(3) does not look at it, and never returns it. */
		ck_assert_int_eq(lyra2_crypt(NULL, s, "pw", 2, out,
					     sizeof(out)), 0);
		ck_assert_str_ne(out, s);
	} else {
		ck_assert_int_eq(lyra2_crypt(NULL, s, "pw", 2, out,
					     sizeof(out)), -1);
		ck_assert_int_eq(errno, error);
		ck_assert_str_eq(out, "");
	}
	errno = 0;
	ck_assert_int_eq(lyra2_verify(NULL, s, "pw", 2), -1);
	ck_assert_int_eq(errno, error);
	errno = 0;
	ck_assert_int_eq(lyra2_needs_rehash(s, NULL), -1);
	ck_assert_int_eq(errno, error);
}
END_TEST

/* A sentence is cut where its buffer ends, of an endless string, too. */
START_TEST(endless)
{
	static char s[1 << 20] = P SALT "$";
	const size_t n = strlen(s);

	memset(s + n, 'x', sizeof(s) - n - 1);
	ck_assert_int_eq(lyra2_parse(s, &p, why, 8), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(why, "hash: n");
	s[n] = '\0';
	ck_assert_int_eq(lyra2_parse(s, &p, why, 8), 1);
	ck_assert_str_eq(why, "hash: m");
}
END_TEST

/* A setting is not a hash. */
START_TEST(no_hash)
{
	static const char *const settings[] = { P SALT, P SALT "$" };

	errno = 0;
	ck_assert_int_eq(lyra2_verify(NULL, settings[_i], "pw", 2), -1);
	ck_assert_int_eq(errno, EINVAL);
	errno = 0;
	ck_assert_int_eq(lyra2_needs_rehash(settings[_i], NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

static char hash[LYRA2_MAX_STRING];

static void make_hash(void)
{
	ck_assert_int_eq(lyra2_crypt(NULL, P SALT "$", "pw", 2, hash,
				     sizeof(hash)), 0);
	ck_assert_int_eq(lyra2_verify(NULL, hash, "pw", 2), 0);
}

/* A string other than the hash: it may be valid, but only as another one. */
static void bent(const char *s)
{
	char out[LYRA2_MAX_STRING];

	ck_assert_msg(lyra2_verify(NULL, s, "pw", 2) != 0, "%s", s);
	if (lyra2_parse(s, &p, NULL, 0) < 0)
		return;
	encode(s, out, sizeof(out));
	ck_assert_msg(strncmp(out, s, strlen(out)) == 0, "%s", s);
}

START_TEST(substitutions)
{
	char s[LYRA2_MAX_STRING];
	int c;

	strcpy(s, hash);
	for (c = 0; c < 256; c++) {
		s[_i] = (char)c;
		if (s[_i] != hash[_i])
			bent(s);
	}
}
END_TEST

START_TEST(insertions)
{
	char s[LYRA2_MAX_STRING];
	int c;

	memcpy(s, hash, (size_t)_i);
	strcpy(s + _i + 1, hash + _i);
	for (c = 1; c < 256; c++) {
		s[_i] = (char)c;
		bent(s);
	}
}
END_TEST

START_TEST(deletions)
{
	char s[LYRA2_MAX_STRING];

	strcpy(s, hash);
	strcpy(s + _i, hash + _i + 1);
	bent(s);
	s[_i] = '\0';
	bent(s);
}
END_TEST

START_TEST(swaps)
{
	char s[LYRA2_MAX_STRING];
	size_t i;

	for (i = (size_t)_i + 1; hash[i]; i++) {
		strcpy(s, hash);
		s[_i] = hash[i];
		s[i] = hash[_i];
		if (strcmp(s, hash) != 0)
			bent(s);
	}
}
END_TEST

/* The examples of RFC 4648, section 10, in the alphabet of crypt(5). */
START_TEST(base64)
{
	static const char *const want[] = { "", "NU", "Naw", "Naxj", "NaxjMU",
					    "NaxjMa2", "NaxjMa3m" };
	static const uint8_t all[] = {
		0x00, 0x10, 0x83, 0x10, 0x51, 0x87, 0x20, 0x92, 0x8b, 0x30,
		0xd3, 0x8f, 0x41, 0x14, 0x93, 0x51, 0x55, 0x97, 0x61, 0x96,
		0x9b, 0x71, 0xd7, 0x9f, 0x82, 0x18, 0xa3, 0x92, 0x59, 0xa7,
		0xa2, 0x9a, 0xab, 0xb2, 0xdb, 0xaf, 0xc3, 0x1c, 0xb3, 0xd3,
		0x5d, 0xb7, 0xe3, 0x9e, 0xbb, 0xf3, 0xdf, 0xbf,
	};
	char out[65];
	size_t n;

	for (n = 0; n <= 6; n++) {
		base64_encode((const uint8_t *)"foobar", n, out);
		ck_assert_str_eq(out, want[n]);
	}
	base64_encode(all, sizeof(all), out);
	ck_assert_str_eq(out, SALT64);
}
END_TEST

/* The salt is absorbed as the characters that it is. */
START_TEST(salt_is_characters)
{
	char s[LYRA2_MAX_STRING], digits[64];
	uint8_t key[32];

	ck_assert_int_eq(lyra2_parse(P SALT22, &p, NULL, 0), 1);
	ck_assert_int_eq(lyra2_kdf(NULL, &p, "pw", 2, SALT22, 22, key, 32), 0);
	base64_encode(key, sizeof(key), digits);
	ck_assert_int_eq(lyra2_crypt(NULL, P SALT22, "pw", 2, s, sizeof(s)),
			 0);
	ck_assert_str_eq(s + strlen(P SALT22 "$"), digits);
}
END_TEST

/* Limits below those of all strings, for one caller */
START_TEST(limits)
{
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	const uint64_t memory = 8 * 2 * 96, work = 2 * 8 * 10;
	char s[LYRA2_MAX_STRING];
	int r, i;
	static const struct { int memory, work, error; } around[] = {
		{ 0, 0, 0 }, { -1, 0, EDOM }, { 0, -1, EDOM }, { 1, 1, 0 },
	};

	ck_assert_ptr_nonnull(ctx);
	ck_assert_int_eq(lyra2_parse(P SALT, &p, NULL, 0), 1);
	ck_assert_uint_eq(lyra2_memory(&p), memory);
	ck_assert_uint_eq(lyra2_work(&p), work);
	for (i = 0; i < 4; i++) {
		lyra2_ctx_set_limits(ctx, memory + (uint64_t)around[i].memory,
				 work + (uint64_t)around[i].work);
		errno = 0;
		r = lyra2_crypt(ctx, P SALT, "pw", 2, s, sizeof(s));
		ck_assert_int_eq(r, around[i].error ? -1 : 0);
		ck_assert_int_eq(errno, around[i].error);
	}
	ck_assert_int_eq(lyra2_verify(ctx, s, "pw", 2), 0);
	lyra2_ctx_set_limits(ctx, 1, 0);
	ck_assert_int_eq(lyra2_verify(ctx, s, "pw", 2), -1);
	/* They do not rise above those of all strings, and 0 is those. */
	lyra2_ctx_set_limits(ctx, UINT64_MAX, UINT64_MAX);
	ck_assert_int_eq(lyra2_crypt(ctx, "$lyra2$v=30$t=1$r=43691$c=256$"
				     SALT, "pw", 2, s, sizeof(s)), -1);
	lyra2_ctx_set_limits(ctx, 0, 0);
	ck_assert_int_eq(lyra2_crypt(ctx, P SALT, "pw", 2, s, sizeof(s)), 0);
	lyra2_ctx_free(ctx);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof(array[0]))

int main(void)
{
	Suite *suite = suite_create("encode");
	TCase *tc = tcase_create("strings"), *bending = tcase_create("bending");
	const int length = (int)strlen(P SALT "$") + 43;

	tcase_add_loop_test(tc, accepts, 0, COUNT(good));
	tcase_add_loop_test(tc, refuses, 0, COUNT(bad));
	tcase_add_loop_test(tc, no_hash, 0, 2);
	tcase_add_test(tc, endless);
	tcase_add_test(tc, base64);
	tcase_add_test(tc, salt_is_characters);
	tcase_add_test(tc, limits);
	suite_add_tcase(suite, tc);
	tcase_set_timeout(bending, 0);
	tcase_add_checked_fixture(bending, make_hash, NULL);
	tcase_add_loop_test(bending, substitutions, 0, length);
	tcase_add_loop_test(bending, insertions, 0, length + 1);
	tcase_add_loop_test(bending, deletions, 0, length);
	tcase_add_loop_test(bending, swaps, 0, length);
	suite_add_tcase(suite, bending);
	return check_main(suite);
}
