/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Strings: which are accepted and written, why others are refused, and that a
 * hash has one spelling, however a valid string is changed.
 * doc/spec/strings.csv, which spec.sh tries, has test vectors and more
 * malformed strings.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "encode.h"

#define SALT "saltsalt"
#define SALT22 "./0123456789ABYZabyz/."
#define SALT64 "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"abcdefghijklmnopqrstuvwxyz"
#define ZERO32 "..........................................."
#define P "$lyra2$t2n4c12p1$"

static struct lyra2_params p;
static struct lyra2_reason why;

/*
 * Writes the setting that string_encode() makes from string_decode()'s result.
 */
static void encode(const char *string, char *out, size_t outsize)
{
	struct lyra2_string s;

	ck_assert_int_eq(string_decode(string, &s, &why), 0);
	ck_assert_int_eq(string_encode(&s, out, outsize), 0);
	ck_assert_uint_eq(strlen(out), s.settinglen);
}

static const struct {
	const char *string;
	uint32_t method;
	struct lyra2_params params;
} good[] = {
	{ "$lyra2$t2n12c256p2$" SALT22, LYRA2_METHOD_LYRA2,
	  { 30, LYRA2_BLAMKA, 2, 4096, 256, 2, { 0 } } },
	{ "$bashlyra2$t2n12c256p2$" SALT22, LYRA2_METHOD_BASH_LYRA2,
	  { 30, LYRA2_BLAMKA, 2, 4096, 256, 2, { 0 } } },
	{ P SALT, LYRA2_METHOD_LYRA2,
	  { 30, LYRA2_BLAMKA, 2, 16, 12, 1, { 0 } } },
	/* the limits: 1 GiB, 2^12 columns, 2^28 of work, the longest string */
	{ "$lyra2$t22n15c341p4$" SALT64, LYRA2_METHOD_LYRA2,
	  { 30, LYRA2_BLAMKA, 22, 32768, 341, 4, { 0 } } },
	{ "$lyra2$t2n6c4096p4$" SALT, LYRA2_METHOD_LYRA2,
	  { 30, LYRA2_BLAMKA, 2, 64, 4096, 4, { 0 } } },
	{ "$lyra2$t524287n4c24p1$" SALT, LYRA2_METHOD_LYRA2,
	  { 30, LYRA2_BLAMKA, 524287, 16, 24, 1, { 0 } } },
	{ "$bashlyra2$t155343n4c100p1$" SALT64, LYRA2_METHOD_BASH_LYRA2,
	  { 30, LYRA2_BLAMKA, 155343, 16, 100, 1, { 0 } } },
};

/* Accepts a whole hash, and a setting with or without the "$" before a hash. */
START_TEST(accepts)
{
	char with[LYRA2_MAX_STRING], out[LYRA2_MAX_STRING];
	uint32_t method;

	ROW(good[_i].string);
	ck_assert_int_eq(snprintf(with, sizeof(with), "%s$" ZERO32,
				  good[_i].string) < (int)sizeof(with), 1);
	ck_assert_msg(lyra2_parse(with, &method, &p, &why) == 0, "%s: %s",
		      with, why.text);
	ck_assert_uint_eq(method, good[_i].method);
	ck_assert_mem_eq(&p, &good[_i].params, sizeof(p));
	ck_assert_int_eq(lyra2_parse(with, NULL, NULL, NULL), 0);
	encode(with, out, sizeof(out));
	ck_assert_str_eq(out, good[_i].string);
	with[strlen(out) + 1] = '\0';
	encode(with, out, sizeof(out));
	ck_assert_str_eq(out, good[_i].string);
	encode(good[_i].string, out, sizeof(out));
	ck_assert_str_eq(out, good[_i].string);
}
END_TEST

#define OLD "string: the form with \"v=\" was never released; now it is " \
	"as in $lyra2$t2n12c256p2$"
static const struct {
	const char *string;
	int error;
	uint32_t field;
	const char *why;	/* how reason->text begins */
} bad[] = {
	{ "", EINVAL, LYRA2_FIELD_METHOD, "string: does not begin with \"$l" },
	{ "$Lyra2$t2n4c12p1$" SALT, EINVAL, LYRA2_FIELD_METHOD, "string:" },
	{ "$bash-lyra2$t2n4c12p1$" SALT, EINVAL, LYRA2_FIELD_METHOD, "str" },
	{ "$lyra2$v=30$t=2$r=4096$c=256$p=4$" SALT "$" ZERO32, EINVAL,
	  LYRA2_FIELD_METHOD, OLD },
	{ "$lyra2$v=25$t=1$r=8$c=2$o=bash256$" SALT, EINVAL,
	  LYRA2_FIELD_METHOD, OLD },
	{ "$lyra2$n4t2c12p1$" SALT, EINVAL, LYRA2_FIELD_T_COST,
	  "t_cost: expected \"t\" and 2...4294967295, as in $lyra2$t2n12" },
	{ "$lyra2$t02n4c12p1$" SALT, EINVAL, LYRA2_FIELD_T_COST, "t_cost:" },
	{ "$lyra2$t4294967298n4c12p1$" SALT, EINVAL, LYRA2_FIELD_T_COST, "" },
	/* 2^64 + 2 */
	{ "$lyra2$t18446744073709551618n4c12p1$" SALT, EINVAL,
	  LYRA2_FIELD_T_COST, "t_cost:" },
	{ "$lyra2$t1n4c12p1$" SALT, EINVAL, LYRA2_FIELD_T_COST,
	  "t_cost: 1 is out of range, 2 to 4294967295" },
	{ "$lyra2$t2c12p1$" SALT, EINVAL, LYRA2_FIELD_ROWS, "cost: expected" },
	{ "$lyra2$t2n3c12p1$" SALT, EINVAL, LYRA2_FIELD_ROWS,
	  "rows: 8 is not 2^n with n from 4 to 15" },
	{ "$lyra2$t2n16c12p1$" SALT, EINVAL, LYRA2_FIELD_ROWS, "cost:" },
	{ "$lyra2$t2n36c12p1$" SALT, EINVAL, LYRA2_FIELD_ROWS, "cost:" },
	{ "$lyra2$t2n4$c12p1$" SALT, EINVAL, LYRA2_FIELD_COLS, "cols:" },
	{ "$lyra2$t2n4c11p1$" SALT, EINVAL, LYRA2_FIELD_COLS,
	  "cols: 11 is out of range, 12 to 4096" },
	{ "$lyra2$t2n4c4097p1$" SALT, EINVAL, LYRA2_FIELD_COLS, "cols: 4097" },
	{ "$lyra2$t2n4c12$" SALT, EINVAL, LYRA2_FIELD_LANES, "lanes: expec" },
	{ "$lyra2$t2n4c12p1x1$" SALT, EINVAL, LYRA2_FIELD_LANES, "lanes:" },
	{ "$lyra2$t2n4c12p3$" SALT, EINVAL, LYRA2_FIELD_LANES,
	  "lanes: 3 is not 1, 2 or 4" },
	{ P, EINVAL, LYRA2_FIELD_SALT, "salt: not 8...64 characters" },
	{ P "saltsal$" ZERO32, EINVAL, LYRA2_FIELD_SALT, "salt:" },
	{ P SALT64 ".$" ZERO32, EINVAL, LYRA2_FIELD_SALT, "salt:" },
	{ P "salt@salt$" ZERO32, EINVAL, LYRA2_FIELD_SALT, "" },
	{ P "salt[salt$" ZERO32, EINVAL, LYRA2_FIELD_SALT, "" },
	{ P "salt`salt$" ZERO32, EINVAL, LYRA2_FIELD_SALT, "" },
	{ P "salt{salt$" ZERO32, EINVAL, LYRA2_FIELD_SALT, "" },
	{ P SALT ",", EINVAL, LYRA2_FIELD_SALT, "salt:" },
	{ P SALT "$:", EINVAL, LYRA2_FIELD_HASH, "hash: has a character" },
	{ P SALT "$;", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$!", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$*", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$\\", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$ ", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$\x7f", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$" ZERO32 "\n", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ P SALT "$" ZERO32 "\xc3", EINVAL, LYRA2_FIELD_HASH, "hash: has a" },
	{ "$lyra2$t2n15c342p1$" SALT, EDOM, LYRA2_FIELD_MEMORY,
	  "rows * cols: 32768 * 342 take 1050624 KiB, the limit is 1048576" },
	{ "$lyra2$t524288n4c24p1$" SALT, EDOM, LYRA2_FIELD_WORK,
	  "t_cost: (524288 + 1) * 16 * (24 + 8) is more work than the limit, "
	  "268435456" },
	{ "$lyra2$t4294967295n4c12p1$" SALT, EDOM, LYRA2_FIELD_WORK,
	  "t_cost: (4294967295 + 1) * 16 * (12 + 8)" },
	/* From here on, the settings are good. */
	{ P SALT, EINVAL, LYRA2_FIELD_HASH, "hash: missing" },
	{ P SALT "$", EINVAL, LYRA2_FIELD_HASH, "hash: missing" },
	{ P SALT "$$", EINVAL, LYRA2_FIELD_HASH, "hash: not 32 bytes in 43" },
	{ P SALT "$" ZERO32 ".", EINVAL, LYRA2_FIELD_HASH, "hash: not" },
	{ P SALT "$" ZERO32 "$", EINVAL, LYRA2_FIELD_HASH, "hash: not" },
	/* an unused bit */
	{ P SALT "$........................................../", EINVAL,
	  LYRA2_FIELD_HASH, "hash: not" },
};

/* Every function that takes a string refuses it, with the same error. */
START_TEST(refuses)
{
	const char *s = bad[_i].string;
	const bool setting = strncmp(bad[_i].why, "hash: missing", 13) == 0 ||
			     strncmp(bad[_i].why, "hash: not", 9) == 0;
	char out[LYRA2_MAX_STRING] = "x";
	struct lyra2_params before;
	uint32_t method = 7;

	ROW(bad[_i].string);
	memset(&p, 0x55, sizeof(p));
	before = p;
	ck_assert_msg(lyra2_parse(s, &method, &p, &why) == -1, "%s", s);
	ck_assert_int_eq(errno, bad[_i].error);
	ck_assert_uint_eq(why.field, bad[_i].field);
	ck_assert_msg(strncmp(why.text, bad[_i].why, strlen(bad[_i].why)) == 0,
		      "%s: %s", s, why.text);
	ck_assert_uint_lt(strlen(why.text), sizeof(why.text) - 1);
	ck_assert_mem_eq(&p, &before, sizeof(p));
	ck_assert_uint_eq(method, 7);
	/* crypt(3) does not read the hash, and never returns such a hash. */
	ck_assert_int_eq(lyra2_crypt(NULL, s, "pw", 2, out, sizeof(out)),
			 setting ? 0 : -1);
	ck_assert_str_ne(out, setting ? s : "x");
	ck_assert_int_eq(out[0], setting ? '$' : '\0');
	errno = 0;
	ck_assert_int_eq(lyra2_verify(NULL, s, "pw", 2), -1);
	ck_assert_int_eq(errno, bad[_i].error);
	errno = 0;
	ck_assert_int_eq(lyra2_needs_rehash(s, LYRA2_METHOD_LYRA2, NULL), -1);
	ck_assert_int_eq(errno, bad[_i].error);
}
END_TEST

/* No reason is written if the argument is NULL. */
START_TEST(endless)
{
	static char s[1 << 20] = P SALT "$";
	const size_t n = strlen(s);

	memset(s + n, 'x', sizeof(s) - n - 1);
	ck_assert_int_eq(lyra2_parse(s, NULL, NULL, NULL), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(lyra2_parse(NULL, NULL, NULL, &why), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(why.text, "string: NULL");
}
END_TEST

static char hash[LYRA2_MAX_STRING];

static void make_hash(void)
{
	ck_assert_int_eq(lyra2_crypt(NULL, P SALT "$", "pw", 2, hash,
				     sizeof(hash)), 0);
	ck_assert_int_eq(lyra2_verify(NULL, hash, "pw", 2), 0);
}

/* A changed hash: if it is valid at all, then as another hash. */
static void bent(const char *s)
{
	char out[LYRA2_MAX_STRING];

	if (lyra2_parse(s, NULL, &p, NULL) < 0)
		return;
	if (lyra2_work(&p) < 1 << 16)
		ck_assert_msg(lyra2_verify(NULL, s, "pw", 2) == -1, "%s", s);
	encode(s, out, sizeof(out));
	ck_assert_msg(strncmp(out, s, strlen(out)) == 0, "%s", s);
}

START_TEST(substitutions)
{
	char s[LYRA2_MAX_STRING];
	int c;

	ROW(NULL);
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

	ROW(NULL);
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

	ROW(NULL);
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

	ROW(NULL);
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

/* The characters of the salt are absorbed, not the bytes that they encode. */
START_TEST(absorbed)
{
	struct lyra2_params cheap = { 30, LYRA2_BLAMKA, 2, 16, 12, 1, { 0 } };
	char s[LYRA2_MAX_STRING], digits[64];
	uint8_t key[32];

	ck_assert_int_eq(lyra2_kdf(NULL, &cheap, "pw", 2, SALT22, 22, key,
				   32), 0);
	base64_encode(key, sizeof(key), digits);
	ck_assert_int_eq(lyra2_crypt(NULL, P SALT22, "pw", 2, s, sizeof(s)),
			 0);
	ck_assert_str_eq(s + strlen(P SALT22 "$"), digits);
}
END_TEST

/*
 * Runs on every kernel; doc/spec/strings.csv is tried on the chosen one only.
 */
START_TEST(bash)
{
	static const char want[] = "$bashlyra2$t2n4c12p4$" SALT22 "$"
		"57nxnhbOQ7c0SWr0/OWTIHQZRHhIoJP6wZEaiDGk.Iw";
	struct lyra2_ctx *ctx = lyra2_ctx_new();
	char x[200];
	const char *name;
	size_t i;
	int usable;

	memset(x, 'x', sizeof(x));
	for (i = 0; (name = lyra2_kernel_at(i, &usable)); i++) {
		if (!usable)
			continue;
		ck_assert_int_eq(lyra2_ctx_set_kernel(ctx, name), 0);
		ck_assert_int_eq(lyra2_verify(ctx, want, x, sizeof(x)), 0);
		ck_assert_int_eq(lyra2_verify(ctx, want, x, 199), -1);
		ck_assert_int_eq(errno, EACCES);
	}
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
	tcase_add_test(tc, endless);
	tcase_add_test(tc, base64);
	tcase_add_test(tc, absorbed);
	tcase_add_test(tc, bash);
	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(bending, make_hash, NULL);
	tcase_add_loop_test(bending, substitutions, 0, length);
	tcase_add_loop_test(bending, insertions, 0, length + 1);
	tcase_add_loop_test(bending, deletions, 0, length);
	tcase_add_loop_test(bending, swaps, 0, length);
	suite_add_tcase(suite, bending);
	return check_main(suite);
}
