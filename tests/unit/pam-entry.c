/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the helpers read out of a shadow entry: line, method, cost, dates; and
 * which password its hash accepts.
 */
#include <crypt.h>
#include <ctype.h>
#include <limits.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check-main.h"
#include "instrumented.h"
#include "pam/aging.h"
#include "pam/helper/shadow-line.h"
#include "pam/helper/verify.h"
#include "pam/request.h"
#include "src/stored/stored.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define GIB (UINT64_C(1) << 30)

/* "|" stands for a newline, which would be hard to see. */
static const struct {
	const char *file, *user;
	size_t found;
	const char *hash;
} lines[] = {
	{ "", "a", 0, NULL },
	{ "a", "a", 0, NULL },
	{ "a:", "a", 1, "" },
	{ "a:h", "a", 1, "h" },
	{ "a:h:1|b:i:2|", "b", 1, "i" },
	{ "a:h:1|b:i:2", "b", 1, "i" },
	{ "|#a:x|aa:1|a b:2|ab:3|a:h:|", "a", 1, "h" },
	{ "a:h:1|a:i:2|", "a", 2, "i" },
	{ " a:h:1|A:h:1|", "a", 0, NULL },
	{ "a,b:h:|a:i:|", "a,b", 1, "h" },
	{ "a,b:h:|a:i:|", "a", 1, "i" },
	{ "axb:h:|", "a.b", 0, NULL },
	{ "x:a:h:|", "a", 0, NULL },
	{ "+a:h:|", "a", 0, NULL },
};

/* A copy after whose last byte nothing can be read. */
static char *copy_at_edge(const char *text, size_t len)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(p != MAP_FAILED);
	ck_assert_int_eq(mprotect(p + page, page, PROT_NONE), 0);
	return memcpy(p + page - len, text, len);
}

START_TEST(finds_lines)
{
	struct piece line = { "", 0 }, hash;
	const size_t len = strlen(lines[_i].file);
	char *file = copy_at_edge(lines[_i].file, len), *p;

	while ((p = memchr(file, '|', len)) != NULL)
		*p = '\n';
	ck_assert_uint_eq(shadow_line_find(file, len, lines[_i].user, &line),
			  lines[_i].found);
	if (!lines[_i].found)
		return;
	ck_assert_int_eq(shadow_line_field(&line, 1, &hash), 0);
	ck_assert_uint_eq(hash.len, strlen(lines[_i].hash));
	ck_assert_mem_eq(hash.at, lines[_i].hash, hash.len);
	ck_assert_ptr_null(memchr(line.at, '\n', line.len));
}
END_TEST

START_TEST(fields_end_with_the_line)
{
	struct piece line = { copy_at_edge("a:b::", 5), 5 }, field;

	ck_assert_int_eq(shadow_line_field(&line, 3, &field), 0);
	ck_assert_uint_eq(field.len, 0);
	ck_assert_int_eq(shadow_line_field(&line, 4, &field), -1);
}
END_TEST

static const struct {
	const char *prefix, *name;
	size_t bytes;
} methods[] = {
	{ "$y$", "yescrypt", 0 },
	{ "$gy$", "gost-yescrypt", 0 },
	{ "$7$", "scrypt", 0 },
	{ "$2b$", "bcrypt", 72 },
	{ "$2a$", "bcrypt", 72 },
	{ "$6$", "sha512crypt", 0 },
	{ "$5$", "sha256crypt", 0 },
	{ "$sha1", "sha1crypt", 0 },
	{ "$md5", "sunmd5", 0 },
	{ "$1$", "md5crypt", 0 },
	{ "$3$", "nt", 0 },
	{ "_", "bsdicrypt", 0 },
	{ "", "descrypt", 8 },
};

/* What libcrypt itself makes is known, and never too costly. */
START_TEST(knows_methods)
{
	struct crypt_data data = { 0 };
	char setting[CRYPT_GENSALT_OUTPUT_SIZE], name[128];
	struct stored s;
	const char *hash;

	if (!crypt_gensalt_rn(methods[_i].prefix, 0, NULL, 0, setting,
			      sizeof(setting)))
		return;		/* libcrypt was built without it */
	hash = crypt_rn("password", setting, &data, (int)sizeof(data));
	ck_assert_ptr_nonnull(hash);
	stored_read(&s, hash);
	ck_assert_ptr_nonnull(s.method);
	ck_assert_str_eq(s.method->name, methods[_i].name);
	ck_assert_uint_eq(s.method->bytes, methods[_i].bytes);
	ck_assert(!stored_is_lyra2(&s) && s.in_crypt);
	ck_assert(s.memory <= GIB);
	stored_describe(&s, name, sizeof(name));
	ck_assert_str_eq(name, methods[_i].name);
}
END_TEST

static const struct {
	uint32_t version, sponge, t_cost, rows, lanes;	/* of the stored hash */
	enum stored_status status;
	bool rehashed;	/* to version 3, BlaMka, t_cost 2, rows 64, lanes 4 */
} comparisons[] = {
	{ 30, LYRA2_BLAMKA, 2, 64, 4, STORED_CURRENT, false },
	{ 30, LYRA2_BLAMKA, 1, 64, 4, STORED_WEAKER, true },
	{ 30, LYRA2_BLAMKA, 2, 32, 4, STORED_WEAKER, true },
	{ 30, LYRA2_BLAMKA, 3, 64, 4, STORED_DIFFERS, false },
	{ 30, LYRA2_BLAMKA, 2, 128, 4, STORED_DIFFERS, false },
	{ 30, LYRA2_BLAMKA, 1, 128, 4, STORED_WEAKER, false },
	{ 30, LYRA2_BLAMKA, 3, 32, 4, STORED_WEAKER, false },
	{ 30, LYRA2_BLAKE2B, 2, 64, 4, STORED_DIFFERS, true },
	{ 30, LYRA2_BLAKE2B, 3, 64, 4, STORED_DIFFERS, false },
	/* More lanes take the memory for a shorter time, if computed at once */
	{ 30, LYRA2_BLAMKA, 2, 32, 1, STORED_WEAKER, true },
	{ 30, LYRA2_BLAMKA, 2, 64, 1, STORED_DIFFERS, false },
	{ 30, LYRA2_BLAMKA, 2, 64, 8, STORED_WEAKER, true },
	{ 30, LYRA2_BLAMKA, 2, 128, 16, STORED_DIFFERS, false },
	{ 30, LYRA2_BLAMKA, 2, 128, 32, STORED_WEAKER, false },
	{ 25, LYRA2_BLAKE2B, 2, 32, 1, STORED_WEAKER, true },
	{ 25, LYRA2_BLAKE2B, 2, 64, 1, STORED_WEAKER, false },
};

static void make_policy(struct policy *p)
{
	memset(p, 0, sizeof(*p));
	lyra2_params_init(&p->params);
	lyra2_params_fill(&p->params);
	p->params.rows = 64;
}

/* A libcrypt that is newer than our list may accept any. */
START_TEST(leaves_other_methods_to_libcrypt)
{
	static const char hash[] = "$argon2id$v=19$m=65536,t=3,p=4$salt$hash";
	struct stored s = { .hash = hash, .in_crypt = true };
	struct policy policy;

	s.method = method_of(hash, true);
	ck_assert_ptr_eq(s.method, &method_other);
	ck_assert(!stored_is_lyra2(&s));
	ck_assert_uint_eq(s.method->memory(hash), 0);
	ck_assert_ptr_null(method_of(hash, false));
	ck_assert_str_eq(method_of("$sm3$rounds=5000$salt$", true)->name,
			 "sm3crypt");
	ck_assert_str_eq(method_of("$sm3y$j9T$salt$", true)->name,
			 "sm3-yescrypt");
	/* Its cost is not known: the new one may be less. */
	make_policy(&policy);
	ck_assert_int_eq(policy_status(&policy, &s), STORED_DIFFERS);
	ck_assert(!policy_rehashes(&policy, &s));
	policy.rehash = REHASH_EXACT;
	ck_assert(policy_rehashes(&policy, &s));
}
END_TEST

static enum stored_status status_of(const char *hash, const struct policy *p)
{
	struct stored s;

	stored_read(&s, hash);
	return policy_status(p, &s);
}

static bool rehashes(const char *hash, const struct policy *p)
{
	struct stored s;

	stored_read(&s, hash);
	return policy_rehashes(p, &s);
}

/* The way back takes each hash of Lyra2, and leaves what others made. */
START_TEST(leads_back_from_lyra2_only)
{
	struct policy p;
	char hash[LYRA2_MAX_STRING];

	make_policy(&p);
	ck_assert_int_ge(lyra2_hash(NULL, &p.params, "x", 1, hash,
				    sizeof(hash)), 0);
	strcpy(p.prefix, "$y$");
	ck_assert(policy_leads_back(&p) && policy_floor_met(&p));
	ck_assert_int_eq(status_of(hash, &p), STORED_WEAKER);
	ck_assert(rehashes(hash, &p));
	ck_assert_int_eq(status_of("$y$j9T$salt$hash", &p), STORED_CURRENT);
	ck_assert_int_eq(status_of("$y$j75$salt$hash", &p), STORED_DIFFERS);
	ck_assert_int_eq(status_of("$6$salt$hash", &p), STORED_WEAKER);
	ck_assert(!rehashes("$y$j75$salt$hash", &p));
	ck_assert(!rehashes("$6$salt$hash", &p));
	p.rehash = REHASH_EXACT;
	ck_assert(rehashes("$y$j75$salt$hash", &p));
	ck_assert(rehashes("$6$salt$hash", &p));
	ck_assert(!rehashes("$y$j9T$salt$hash", &p));
	/* Its cost is not spelled as parameters. */
	strcpy(p.prefix, "$7$");
	p.crypt_cost = 8;
	ck_assert_int_eq(status_of("$7$DU..../....salt$hash", &p),
			 STORED_CURRENT);
	ck_assert_int_eq(status_of("$7$CU..../....salt$hash", &p),
			 STORED_DIFFERS);
}
END_TEST

START_TEST(makes_no_setting_that_costs_too_much)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	ck_assert_int_eq(method_setting("$2b$", 5, setting, sizeof(setting)),
			 0);
	ck_assert_int_eq(method_setting("$2b$", 31, setting, sizeof(setting)),
			 -1);
	ck_assert_int_eq(method_setting("$zz$", 0, setting, sizeof(setting)),
			 -1);
	ck_assert_int_eq(method_setting("$1$", 0, setting, sizeof(setting)),
			 -1);
}
END_TEST

START_TEST(rehashes_only_to_no_less)
{
	struct lyra2_params has;
	struct policy policy;
	char hash[LYRA2_MAX_STRING];

	make_policy(&policy);
	has = policy.params;
	has.version = comparisons[_i].version;
	has.sponge = comparisons[_i].sponge;
	has.t_cost = comparisons[_i].t_cost;
	has.rows = comparisons[_i].rows;
	has.lanes = comparisons[_i].lanes;
	ck_assert_int_eq(lyra2_hash(NULL, &has, "x", 1, hash, sizeof(hash)),
			 0);
	ck_assert_int_eq(status_of(hash, &policy),
			 comparisons[_i].status);
	ck_assert(rehashes(hash, &policy) == comparisons[_i].rehashed);
	policy.rehash = REHASH_EXACT;
	ck_assert(rehashes(hash, &policy) ==
		  (comparisons[_i].status != STORED_CURRENT));
}
END_TEST

/* A lost configuration must not take away what a standard asks for. */
START_TEST(outer_hash_is_kept)
{
	struct policy policy;
	char without[LYRA2_MAX_STRING], with[LYRA2_MAX_STRING];

	make_policy(&policy);
	ck_assert_int_eq(lyra2_hash(NULL, &policy.params, "x", 1, without,
				    sizeof(without)), 0);
	policy.params.outer = LYRA2_BASH256;
	ck_assert_int_eq(lyra2_hash(NULL, &policy.params, "x", 1, with,
				    sizeof(with)), 0);
	ck_assert_int_eq(status_of(with, &policy),
			 STORED_CURRENT);
	ck_assert_int_eq(status_of(without, &policy),
			 STORED_WEAKER);
	ck_assert(rehashes(without, &policy));
	policy.params.outer = LYRA2_NO_OUTER;
	ck_assert_int_eq(status_of(with, &policy),
			 STORED_DIFFERS);
	ck_assert(!rehashes(with, &policy));
	policy.rehash = REHASH_EXACT;
	ck_assert(rehashes(with, &policy));
}
END_TEST

/* 64 rows are 1.5 MiB; yescrypt of 2^12 blocks of 32 is 16 MiB. */
START_TEST(rehashes_no_larger_foreign_hash)
{
	struct policy policy;

	make_policy(&policy);
	ck_assert(!rehashes("$y$j9T$salt$hash", &policy));
	ck_assert(rehashes("$y$j75$salt$hash", &policy));
	ck_assert(rehashes("$6$salt$hash", &policy));
	ck_assert(!rehashes("!", &policy));
	ck_assert(policy_floor_met(&policy));
	policy.params.rows = 42;
	ck_assert(!policy_floor_met(&policy));
}
END_TEST

/* An administrator made it, or an older version of this library. */
START_TEST(short_salt_is_weaker)
{
	struct policy policy;
	char setting[LYRA2_MAX_STRING], hash[LYRA2_MAX_STRING];

	make_policy(&policy);
	ck_assert_int_eq(lyra2_gensalt(&policy.params, "12345678", 8, setting,
				       sizeof(setting)), 0);
	ck_assert_int_eq(lyra2_crypt(NULL, setting, "x", 1, hash,
				     sizeof(hash)), 0);
	ck_assert_int_eq(status_of(hash, &policy),
			 STORED_WEAKER);
	ck_assert(rehashes(hash, &policy));
}
END_TEST

START_TEST(root_is_as_configured)
{
	struct policy policy;

	make_policy(&policy);
	policy.rehash_root = ROOT_YES;
	ck_assert(policy_root_allowed(&policy));
	policy.rehash_root = ROOT_NO;
	ck_assert(!policy_root_allowed(&policy));
}
END_TEST

#define LYRA2_HASH "$lyra2$v=30$t=2$r=16$c=16$p=2$AAAAAAAAAAAAAAAAAAAAAA$" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

#define TEN "0123456789"
#define LONG_FIELD "x=" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

START_TEST(knows_lyra2)
{
	struct stored s;
	char name[128];

	stored_read(&s, LYRA2_HASH);
	ck_assert(stored_is_lyra2(&s));
	stored_describe(&s, name, sizeof(name));
	ck_assert_str_eq(name, "lyra2(v=30 t=2 r=16 c=16 p=2)");
	ck_assert(s.memory == 16 * 16 * 96);
	/* Of a malformed one, no field is taken that does not fit whole. */
	stored_read(&s, "$lyra2$" LONG_FIELD "$t=2$salt");
	stored_describe(&s, name, sizeof(name));
	ck_assert_str_eq(name, "lyra2");
}
END_TEST

static const char *const no_hashes[] = {
	"", "!", "!!", "*", "x", "ab", "*0", "*1", "!$6$salt$hash", "NP",
	"$", "$$", "$lyra", "$unknown$hash", "*LK*", "a:b", "abcdefghijkl",
};

START_TEST(knows_what_is_no_hash)
{
	struct stored s;

	stored_read(&s, no_hashes[_i]);
	ck_assert_ptr_null(s.method);
}
END_TEST

static const char *const excessive[] = {
	"$y$jHT$saltsaltsalt$", "$y$jzT$salt$", "$y$j9z....$salt$",
	"$y$j9T0zz$salt$", "$y$", "$y$j", "$y$j9", "$y$j9T!", "$gy$jHT$salt$",
	"$7$HU..../....salt$", "$7$C6..../", "$7$z6..../....salt$",
	"$7$Czzzzz/....salt$", "$7$C6....zzzzzsalt$",
	"$2b$17$abcdefghijklmnopqrstuu", "$2b$31$abcdefghijklmnopqrstuu",
	"$6$rounds=10000000$salt$", "$5$rounds=999999999$salt$",
	"$6$rounds=99999999999999999999$salt$", "$sha1$4294967295$salt$",
	"$md5,rounds=4294967295$salt$",
	"$lyra2$v=30$t=2$r=2097152$c=256$AAAAAAAAAAAAAAAAAAAAAA$",
	"$lyra2$v=30$t=4294967295$r=16$c=16$AAAAAAAAAAAAAAAAAAAAAA$",
	"$lyra2$", "$lyra2$v=30$t=2$r=16$AAAAAAAAAAAAAAAAAAAAAA$",
};

START_TEST(refuses_excess)
{
	struct stored s;

	stored_read(&s, excessive[_i]);
	/* What libcrypt does not accept at all is refused even before. */
	if (s.method)
		ck_assert(s.memory > GIB);
}
END_TEST

static uint64_t memory_of(const char *hash)
{
	struct stored s;

	stored_read(&s, hash);
	ck_assert_ptr_nonnull(s.method);
	return s.memory;
}

/* Numbers whose shift or product has more than 64 bits; a ROM. */
START_TEST(refuses_overflow)
{
	ck_assert(memory_of("$y$jkD5$salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$y$j751$salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$y$j75$salt$") < COST_TOO_HIGH);
	ck_assert(memory_of("$7$c..../" "/....salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$7$C/...." "/....salt$") < COST_TOO_HIGH);
}
END_TEST

/* yescrypt of 2^12 blocks of 32 is 16 MiB: see crypt(5), cost factor 5. */
START_TEST(memory_is_what_yescrypt_takes)
{
	ck_assert_uint_eq(memory_of("$y$j9T$salt$"), 16 << 20);
	ck_assert_uint_eq(memory_of("$7$CU..../....salt$"), 64 << 20);
}
END_TEST

/* The verdict on the password "secret". */
static int verdict(const char *hash, uint64_t max_memory)
{
	struct stored s;

	stored_read(&s, hash);
	return verify_password(&s, "secret", false, max_memory).code;
}

static const char *const settings[] = {
	"$lyra2$v=30$t=1$r=8$c=2$saltsalt", "sa", "_0...salt", "$1$salt$",
	"$3$", "$md5,rounds=1$salt$$", "$sha1$20$salt$",
	"$2b$04$abcdefghijklmnopqrstuu", "$5$rounds=1000$salt$",
	"$6$rounds=1000$salt$", "$7$4/..../....salt$", "$y$j/.$saltsalt$",
	"$gy$j/.$saltsalt$",
};

/* One letter in the other case; of other characters, the next but one. */
START_TEST(near_misses_are_wrong)
{
	static struct crypt_data data;
	const char *setting = settings[_i];
	char *hash = data.output, *p;

	if (_i == 0)
		ck_assert_int_eq(lyra2_crypt(NULL, setting, "secret", 6, hash,
					     sizeof(data.output)), 0);
	else if (!crypt_rn("secret", setting, &data, (int)sizeof(data))) {
		printf("# this libcrypt does not compute %s\n", setting);
		return;
	}
	hash = strdup(hash);
	ck_assert_int_eq(verdict(hash, GIB), PAM_SUCCESS);
	for (p = hash; *p; p++) {
		const char right = *p;

		*p = (char)(right ^ (isalpha((unsigned char)right) ? 32 : 2));
		ck_assert_msg(verdict(hash, 1 << 20) != PAM_SUCCESS, "%s",
			      hash);
		*p = right;
	}
	free(hash);
}
END_TEST

/* Of another method it is not known: libcrypt calls that invalid, too. */
START_TEST(no_memory_is_no_wrong_password)
{
	const struct rlimit limit = { 256 << 20, 256 << 20 };

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_int_eq(verdict("$lyra2$v=30$t=1$r=16384$c=512$saltsalt$"
				 "...........................................",
				 GIB), PAM_AUTHINFO_UNAVAIL);
}
END_TEST

static const struct {
	struct aging a;		/* lstchg min max warn inact expire */
	int code;
	long days;
} ages[] = {
	{ { 1000, -1, -1, -1, -1, -1 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, 99999, 7, -1, -1 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, 99999, 7, -1, 1100 }, PAM_ACCT_EXPIRED, -1 },
	{ { 1000, 0, 99999, 7, -1, 1101 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, 99999, 7, -1, 0 }, PAM_ACCT_EXPIRED, -1 },
	{ { 0, 0, 99999, 7, -1, -1 }, PAM_NEW_AUTHTOK_REQD, 0 },
	{ { 0, 0, 99999, 7, -1, 1 }, PAM_ACCT_EXPIRED, -1 },
	{ { -1, 0, 1, 7, 1, -1 }, PAM_SUCCESS, -1 },
	{ { 1101, 50, 1, 7, 1, -1 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, 100, 0, -1, -1 }, PAM_NEW_AUTHTOK_REQD, -1 },
	{ { 1000, 0, 101, 0, -1, -1 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, 101, 7, -1, -1 }, PAM_SUCCESS, 1 },
	{ { 1000, 0, 107, 7, -1, -1 }, PAM_SUCCESS, 7 },
	{ { 1000, 0, 108, 7, -1, -1 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, 101, 999, -1, -1 }, PAM_SUCCESS, 1 },
	{ { 1000, 0, 90, 7, 10, -1 }, PAM_AUTHTOK_EXPIRED, -1 },
	{ { 1000, 0, 90, 7, 11, -1 }, PAM_NEW_AUTHTOK_REQD, -1 },
	{ { 1000, 0, 100, 7, 0, -1 }, PAM_AUTHTOK_EXPIRED, -1 },
	{ { 1000, 101, 99999, 7, -1, -1 }, PAM_AUTHTOK_ERR, -1 },
	{ { 1000, 100, 99999, 7, -1, -1 }, PAM_SUCCESS, -1 },
	{ { 1000, 0, LONG_MAX, LONG_MAX, LONG_MAX, LONG_MAX }, PAM_SUCCESS,
	  LONG_MAX - 100 },
	{ { LONG_MAX, LONG_MAX, LONG_MAX, 7, 7, -1 }, PAM_SUCCESS, -1 },
	{ { 1, LONG_MAX, LONG_MAX, -1, -1, LONG_MAX }, PAM_AUTHTOK_ERR, -1 },
	{ { LONG_MIN, LONG_MIN, LONG_MIN, LONG_MIN, LONG_MIN, LONG_MIN },
	  PAM_SUCCESS, -1 },
};

/* The day is 1100. */
START_TEST(ages_as_pam_unix)
{
	long days;

	ck_assert_int_eq(aging_check(&ages[_i].a, 1100, &days),
			 ages[_i].code);
	ck_assert_int_eq(days, ages[_i].days);
}
END_TEST

static const struct {
	int code;
	unsigned flags;
	int wanted;
} changes[] = {
	{ PAM_SUCCESS, 0, PAM_SUCCESS },
	{ PAM_NEW_AUTHTOK_REQD, 0, PAM_SUCCESS },
	{ PAM_AUTHTOK_ERR, 0, PAM_AUTHTOK_ERR },
	{ PAM_AUTHTOK_EXPIRED, 0, PAM_AUTHTOK_EXPIRED },
	{ PAM_ACCT_EXPIRED, 0, PAM_ACCT_EXPIRED },
	{ PAM_ACCT_EXPIRED, FLAG_ROOT, PAM_SUCCESS },
	{ PAM_AUTHTOK_ERR, FLAG_ROOT, PAM_SUCCESS },
	{ PAM_USER_UNKNOWN, FLAG_ROOT, PAM_USER_UNKNOWN },
	{ PAM_SUCCESS, FLAG_EXPIRED_ONLY, PAM_AUTHTOK_ERR },
	{ PAM_NEW_AUTHTOK_REQD, FLAG_EXPIRED_ONLY, PAM_SUCCESS },
	{ PAM_ACCT_EXPIRED, FLAG_EXPIRED_ONLY | FLAG_ROOT, PAM_AUTHTOK_ERR },
};

START_TEST(change_is_allowed_as_by_pam_unix)
{
	ck_assert_int_eq(aging_change(changes[_i].code, changes[_i].flags),
			 changes[_i].wanted);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pam-entry");
	TCase *c = tcase_create("pam-entry");

	tcase_add_loop_test(c, finds_lines, 0, COUNT(lines));
	tcase_add_test(c, fields_end_with_the_line);
	tcase_add_loop_test(c, knows_methods, 0, COUNT(methods));
	tcase_add_test(c, leads_back_from_lyra2_only);
	tcase_add_test(c, makes_no_setting_that_costs_too_much);
	tcase_add_test(c, leaves_other_methods_to_libcrypt);
	tcase_add_test(c, knows_lyra2);
	tcase_add_loop_test(c, rehashes_only_to_no_less, 0,
			    COUNT(comparisons));
	tcase_add_test(c, outer_hash_is_kept);
	tcase_add_test(c, rehashes_no_larger_foreign_hash);
	tcase_add_test(c, short_salt_is_weaker);
	tcase_add_test(c, root_is_as_configured);
	tcase_add_loop_test(c, knows_what_is_no_hash, 0, COUNT(no_hashes));
	tcase_add_loop_test(c, refuses_excess, 0, COUNT(excessive));
	tcase_add_test(c, refuses_overflow);
	tcase_add_test(c, memory_is_what_yescrypt_takes);
	tcase_add_loop_test(c, near_misses_are_wrong, 0, COUNT(settings));
	if (INSTRUMENTED)
		check_skip(suite, "no_memory_is_no_wrong_password # SKIP the "
			   "instrumentation needs memory of its own");
	else
		tcase_add_test(c, no_memory_is_no_wrong_password);
	tcase_add_loop_test(c, ages_as_pam_unix, 0, COUNT(ages));
	tcase_add_loop_test(c, change_is_allowed_as_by_pam_unix, 0,
			    COUNT(changes));
	suite_add_tcase(suite, c);
	return check_main(suite);
}
