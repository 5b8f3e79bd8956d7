/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which hashes a login replaces: by name, as pam_lyra2.conf(5) says.  Also
 * tests that the order of all pairs of a hundred hashes has no cycle.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check-main.h"
#include "src/stored/crypt3.h"
#include "src/stored/policy.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define MOST 200
#define SALT "AAAAAAAAAAAAAAAAAAAAAA"
#define HASH "..........................................."

static char texts[MOST][128];
static struct stored hashes[MOST];
static int n_hashes;

/* A whole hash: of bcrypt and NT without "$", of DES without a prefix, too */
static void complete(const char *params, char *out, size_t size)
{
	static const char digits[] = SALT SALT SALT SALT;
	const size_t hash = method_of(params, true) ?
		method_of(params, true)->hash : strlen(SALT);

	if (strncmp(params, "$2", 2) == 0 || strncmp(params, "$3$", 3) == 0)
		snprintf(out, size, "%s%.*s", params, (int)hash, digits);
	else if (params[0] != '$')
		snprintf(out, size, "%s%.*s", params, (int)hash, digits);
	else
		snprintf(out, size, "%s" SALT "$%.*s", params,
			 (int)(hash > 0 ? hash : strlen(HASH)), digits);
}

static void add(const char *params)
{
	struct stored *s = &hashes[n_hashes];

	ck_assert_int_lt(n_hashes, MOST);
	complete(params, texts[n_hashes], sizeof(texts[0]));
	stored_read(s, texts[n_hashes]);
	/* Debian's libcrypt has no SM3. */
	if (s->method)
		n_hashes++;
}

static void add_all(const char *before, const char *const *words,
		    const char *after)
{
	char text[128];

	for (; *words; words++) {
		snprintf(text, sizeof(text), "%s%s%s", before, *words, after);
		add(text);
	}
}

static void start(void)
{
	static const char *const lyra2[] = {
		"t2n4c12p1", "t2n10c171p2", "t2n11c256p1", "t2n11c256p2",
		"t50n11c256p2", "t2n12c128p2", "t2n12c256p1", "t2n12c256p2",
		"t2n12c256p4", "t3n12c256p2", "t5n12c256p4", "t2n13c128p2",
		"t2n13c256p4", "t6n13c256p2", "t2n14c256p2", NULL
	};
	static const char *const yescrypt[] = {
		"j75", "j85", "j8T", "j9T", "jAT", "jBT", "jCT", ".9T", ".AT",
		"/9T", "j9T..", "j9T./", "jA5..", "j9T/.", "j9T0..", NULL
	};
	static const char *const scrypt[] = {
		"AU..../....", "AU....6....", "BU..../....", "CU..../....",
		"C6..../....", "DU..../....", NULL
	};
	static const char *const bcrypt[] = {
		"04", "05", "10", "12", "13", "14", "16", NULL
	};
	static const char *const rounds[] = {
		"", "rounds=1000$", "rounds=5000$", "rounds=10000$",
		"rounds=500000$", "rounds=656000$", "rounds=9000000$", NULL
	};

	n_hashes = 0;
	add_all("$lyra2$", lyra2, "$");
	add_all("$bashlyra2$", lyra2, "$");
	add_all("$y$", yescrypt, "$");
	add_all("$gy$", yescrypt, "$");
	add_all("$sm3y$", yescrypt, "$");
	add_all("$7$", scrypt, "");
	add_all("$2a$", bcrypt, "$");
	add_all("$2b$", bcrypt, "$");
	add_all("$2y$", bcrypt, "$");
	add_all("$6$", rounds, "");
	add_all("$5$", rounds, "");
	add("$1$");
	add("$md5,rounds=5000$");
	add("$sha1$20000$");
	add("$3$$");
	add("$2x$10$");
	ck_assert_int_ge(n_hashes, 100);
}

/* Returns true if arrows lead from some i back to i, in an n * n matrix. */
static bool has_circle(bool *arrow, int n)
{
	int i, j, k;

	for (k = 0; k < n; k++)
		for (i = 0; i < n; i++)
			for (j = 0; arrow[i * n + k] && j < n; j++)
				arrow[i * n + j] |= arrow[k * n + j];
	for (i = 0; i < n; i++)
		if (arrow[i * n + i])
			return true;
	return false;
}

static bool arrows[MOST * MOST];

/* A policy whose new hashes are of the same kind as a stored one */
static void configure(struct policy *p, const struct stored *s, uint32_t rehash)
{
	memset(p, 0, sizeof(*p));
	p->max_memory = LYRA2_MAX_MEMORY;
	p->rehash = rehash;
	p->rehash_root = true;
	p->method = s->method;
	p->strength = s->strength;
	p->params = s->params;
	p->new_memory = s->memory;
	if (stored_is_lyra2(s))
		p->lyra2 = s->method->outer == OUTER_NONE ?
			LYRA2_METHOD_LYRA2 : LYRA2_METHOD_BASH_LYRA2;
}

/*
 * Each hash is what new ones are on some machine, which replaces the others by
 * its policy.  Returns true if logins on these machines can restore a hash.
 */
static bool logins_lead_back(const uint32_t *rehash)
{
	const struct account account = { .password = "x" };
	int i, j, n = n_hashes;

	for (j = 0; j < n; j++) {
		struct policy p;
		const char *why;

		configure(&p, &hashes[j], rehash[j % 3]);
		for (i = 0; i < n; i++)
			arrows[i * n + j] = policy_next(&p, &hashes[i],
				&account, &why) == NEXT_CONVERT;
	}
	return has_circle(arrows, n);
}

START_TEST(no_logins_lead_back)
{
	static const uint32_t weaker[] = {
		REHASH_WEAKER, REHASH_WEAKER, REHASH_WEAKER
	}, several[] = {
		REHASH_WEAKER, REHASH_LOG_ONLY, REHASH_NEVER
	}, leave[] = {
		REHASH_WEAKER, REHASH_WEAKER, REHASH_LEAVE
	};

	ck_assert(!logins_lead_back(weaker));
	ck_assert(!logins_lead_back(several));
	/* Machines with and without "leave" may replace each other's hashes. */
	ck_assert(logins_lead_back(leave));
}
END_TEST

static const struct {
	const char *stored, *new;
	bool weaker;
} named[] = {
	/* Costs are decimal. */
	{ "$2b$07$", "$2b$08$", true },
	{ "$2b$08$", "$2b$07$", false },
	{ "$2b$08$", "$2b$09$", true },
	{ "$y$jCT$", "$lyra2$t2n12c256p2$", false },
	{ "$7$AU....6....", "$lyra2$t2n12c256p2$", true },
	{ "$2b$12$", "$lyra2$t2n12c256p2$", true },
	{ "$2b$12$", "$lyra2$t2n10c170p2$", false },
	{ "$2b$12$", "$lyra2$t2n10c171p2$", true },
	{ "$2b$13$", "$lyra2$t2n12c256p2$", false },
	{ "$6$rounds=500000$", "$lyra2$t2n12c256p2$", true },
	{ "$6$rounds=9000000$", "$lyra2$t2n12c256p2$", false },
	{ "$5$rounds=9000000$", "$lyra2$t2n4c12p1$", true },
	{ "$1$", "$2b$05$", true },
	{ "$2b$05$", "$1$", false },
	{ "$2a$05$", "$2b$06$", true },
	{ "$2a$05$", "$2b$05$", false },
	{ "$2x$10$", "$2b$05$", true },
	{ "$2b$05$", "$6$rounds=9000000$", false },
	{ "$6$", "$6$rounds=5001$", true },
	{ "$6$", "$6$rounds=5000$", false },
	/* Other flags, other functions */
	{ "$y$.9T$", "$y$j9T$", false },
	{ "$y$j9T$", "$y$.9T$", false },
	{ "$y$j9T$", "$y$jAT$", true },
	{ "$y$j9T$", "$y$j9T..$", true },
	{ "$y$j9T..$", "$y$jAT$", false },
	/* Outer hashes */
	{ "$gy$j9T$", "$bashlyra2$t2n12c256p2$", false },
	{ "$y$j9T$", "$gy$j9T$", true },
	{ "$gy$j9T$", "$y$jAT$", false },
	{ "$lyra2$t2n13c256p2$", "$bashlyra2$t2n12c256p2$", false },
	{ "$bashlyra2$t2n11c256p2$", "$lyra2$t2n12c256p2$", false },
	/* More lanes at once hold the memory for a shorter time. */
	{ "$lyra2$t50n11c256p2$", "$lyra2$t2n12c256p2$", false },
	{ "$lyra2$t2n12c256p4$", "$lyra2$t2n12c256p2$", true },
	{ "$lyra2$t2n12c256p2$", "$lyra2$t2n12c256p4$", false },
	{ "$lyra2$t2n12c256p2$", "$lyra2$t5n12c256p4$", false },
	{ "$lyra2$t2n12c256p2$", "$lyra2$t2n13c128p2$", false },
};

static bool is_weaker(const char *stored, const char *new)
{
	struct stored s, to;
	char a[128], b[128];

	complete(stored, a, sizeof(a));
	complete(new, b, sizeof(b));
	stored_read(&s, a);
	stored_read(&to, b);
	return order_weaker(&s.strength, &to.strength);
}

START_TEST(knows_by_name)
{
	ROW(named[_i].stored);
	ck_assert_msg(is_weaker(named[_i].stored, named[_i].new) ==
		      named[_i].weaker, "%s under %s", named[_i].stored,
		      named[_i].new);
}
END_TEST

START_TEST(short_salt_is_weaker)
{
	static const char *const long_salts[] = {
		"$lyra2$t2n10c171p2$" SALT "$" HASH, "$y$j9T$" SALT "$" HASH,
		"$6$AAAAAAAAAAAAAAAA$" HASH HASH, "$7$AU..../...." SALT "$" HASH
	};
	const char *text = long_salts[_i], *salt = strstr(text, "AAAAAAAA");
	char shorter[128];
	const struct account account = { .password = "x" };
	struct stored s, to;
	struct policy p;
	const char *why;

	ROW(long_salts[_i]);
	snprintf(shorter, sizeof(shorter), "%.*s%s", (int)(salt - text), text,
		 salt + 1);
	stored_read(&s, shorter);
	stored_read(&to, text);
	ck_assert(order_weaker(&s.strength, &to.strength));
	ck_assert(!order_weaker(&to.strength, &s.strength));
	/* Its costs are the configured ones, but it is not current. */
	configure(&p, &to, REHASH_WEAKER);
	ck_assert_int_eq(policy_next(&p, &to, &account, &why), NEXT_CURRENT);
	ck_assert_int_eq(policy_next(&p, &s, &account, &why), NEXT_CONVERT);
}
END_TEST

/* An imported salt of 24 characters, where ours has 22 */
START_TEST(salt_beyond_ours_makes_no_difference)
{
	struct stored low, high;

	stored_read(&low, "$lyra2$t2n10c171p2$AA" SALT "$" HASH);
	stored_read(&high, "$lyra2$t2n11c171p2$" SALT "$" HASH);
	ck_assert(order_weaker(&low.strength, &high.strength));
}
END_TEST

/* A libcrypt newer than method.c's list may accept unknown methods. */
START_TEST(leaves_unknown_methods)
{
	static const char hash[] = "$argon2id$v=19$m=65536,t=3,p=4$salt$hash";
	const struct account account = { .password = "x" };
	struct stored s = { .hash = hash, .in_crypt = true };
	struct policy p;
	const char *why;

	s.method = method_of(hash, true);
	ck_assert_str_eq(s.method->name, "other");
	ck_assert_ptr_null(method_of(hash, false));
	configure(&p, &hashes[0], REHASH_WEAKER);
	ck_assert_int_eq(policy_next(&p, &s, &account, &why), NEXT_KEEP);
	p.rehash = REHASH_EXACT;
	ck_assert_int_eq(policy_next(&p, &s, &account, &why), NEXT_CONVERT);
	/* libcrypt may prefer it, and its cost is unknown even then. */
	configure(&p, &s, REHASH_WEAKER);
	ck_assert_int_eq(policy_next(&p, &s, &account, &why), NEXT_KEEP);
}
END_TEST

#define SIX "xxxxxx"
#define W72 SIX SIX SIX SIX SIX SIX SIX SIX SIX SIX SIX SIX
#define W128 W72 SIX SIX SIX SIX SIX SIX SIX SIX SIX "xx"

static const struct {
	const char *stored, *new, *password;
	enum next next;
	uint32_t rehash;
	struct account account;
} logins[] = {
	{ "$1$", "$y$j9T$", "x", NEXT_CONVERT, REHASH_WEAKER, { 0 } },
	{ "$1$", "$y$j9T$", "x", NEXT_KEEP, REHASH_NEVER, { 0 } },
	{ "$1$", "$y$j9T$", "x", NEXT_LOG, REHASH_LOG_ONLY, { 0 } },
	{ "$y$j9T$", "$y$j9T$", "x", NEXT_CURRENT, REHASH_EXACT, { 0 } },
	{ "$y$jAT$", "$y$j9T$", "x", NEXT_CONVERT, REHASH_EXACT, { 0 } },
	{ "$y$jAT$", "$y$j9T$", "x", NEXT_KEEP, REHASH_LEAVE, { 0 } },
	{ "$lyra2$t2n12c256p2$", "$6$", "x", NEXT_CONVERT, REHASH_LEAVE,
	  { 0 } },
	{ "$bashlyra2$t2n12c256p2$", "$y$j9T$", "x", NEXT_CONVERT,
	  REHASH_LEAVE, { 0 } },
	{ "$bashlyra2$t2n12c256p2$", "$y$j9T$", "x", NEXT_LOG, REHASH_LOG_ONLY,
	  { 0 } },
	{ "$bashlyra2$t2n12c256p2$", "$y$j9T$", "x", NEXT_KEEP, REHASH_WEAKER,
	  { 0 } },
	{ "$bashlyra2$t2n12c256p2$", "$lyra2$t2n12c256p2$", "x", NEXT_KEEP,
	  REHASH_LEAVE, { 0 } },
	{ "$lyra2$t2n12c256p2$", "$lyra2$t2n13c128p2$", "x", NEXT_CONVERT,
	  REHASH_EXACT, { 0 } },
	{ "$1$", "$y$j9T$", "x", NEXT_PREVENTED, REHASH_EXACT,
	  { .outside = "not in rehash_group" } },
	{ "$1$", "$y$j9T$", "x", NEXT_PREVENTED, REHASH_WEAKER,
	  { .expired = true } },
	/* What would not be done is not announced. */
	{ "$1$", "$y$j9T$", "x", NEXT_PREVENTED, REHASH_LOG_ONLY,
	  { .expired = true } },
	{ "$2b$05$", "$y$j9T$", W72 "x", NEXT_PREVENTED, REHASH_LOG_ONLY,
	  { 0 } },
	{ "$1$", "$y$j9T$", "x", NEXT_CONVERT, REHASH_WEAKER,
	  { .root = true } },
	{ "$2b$05$", "$y$j9T$", W72, NEXT_CONVERT, REHASH_WEAKER, { 0 } },
	{ "$2b$05$", "$y$j9T$", W72 "x", NEXT_PREVENTED, REHASH_WEAKER,
	  { 0 } },
	{ "$1$", "$2b$05$", W72, NEXT_CONVERT, REHASH_WEAKER, { 0 } },
	{ "$1$", "$2b$05$", W72 "x", NEXT_PREVENTED, REHASH_WEAKER, { 0 } },
	/* bigcrypt */
	{ "ab", "$y$j9T$", W128, NEXT_CONVERT, REHASH_WEAKER, { 0 } },
	{ "ab", "$y$j9T$", W128 "x", NEXT_PREVENTED, REHASH_WEAKER, { 0 } },
	{ "$2x$10$", "$y$j9T$", "\xc3", NEXT_PREVENTED, REHASH_WEAKER, { 0 } },
	{ "$2x$10$", "$y$j9T$", "p\xc3\xa9", NEXT_PREVENTED, REHASH_WEAKER,
	  { 0 } },
	{ "ab", "$y$j9T$", "\xc3", NEXT_PREVENTED, REHASH_WEAKER, { 0 } },
	{ "$2b$31$", "$y$j9T$", "x", NEXT_NO_HASH, REHASH_EXACT, { 0 } },
	{ "$2x$10$", "$y$j9T$", "p", NEXT_CONVERT, REHASH_WEAKER, { 0 } },
	{ "$1$", "$y$j9T$", "p\xc3\xa9", NEXT_CONVERT, REHASH_WEAKER, { 0 } },
};

START_TEST(a_login_does_what_it_must)
{
	struct account account = logins[_i].account;
	struct stored s, new;
	char a[128], b[128];
	struct policy p;
	const char *why;

	ROW(logins[_i].stored);
	complete(logins[_i].stored, a, sizeof(a));
	complete(logins[_i].new, b, sizeof(b));
	stored_read(&s, a);
	stored_read(&new, b);
	configure(&p, &new, logins[_i].rehash);
	account.password = logins[_i].password;
	ck_assert_int_eq(policy_next(&p, &s, &account, &why), logins[_i].next);
	ck_assert(!why == (logins[_i].next < NEXT_PREVENTED));
}
END_TEST

START_TEST(says_which_method_truncates)
{
	const struct account account = { .password = W72 "x" };
	struct stored s, new;
	char a[128], b[128];
	struct policy p;
	const char *why;

	complete(_i ? "$1$" : "$2b$05$", a, sizeof(a));
	complete(_i ? "$2b$05$" : "$y$j9T$", b, sizeof(b));
	stored_read(&s, a);
	stored_read(&new, b);
	configure(&p, &new, REHASH_WEAKER);
	ck_assert_int_eq(policy_next(&p, &s, &account, &why), NEXT_PREVENTED);
	ck_assert_ptr_nonnull(strstr(why, _i ? "the new method" :
					       "the old method"));
}
END_TEST

/* A rescue shell has only crypt(3). */
START_TEST(root_gets_lyra2_if_allowed)
{
	const struct account root = { .password = "x", .root = true };
	struct stored s, new;
	char a[128], b[128];
	struct policy p;
	const char *why;

	complete("$1$", a, sizeof(a));
	complete("$lyra2$t2n12c256p2$", b, sizeof(b));
	stored_read(&s, a);
	stored_read(&new, b);
	configure(&p, &new, REHASH_WEAKER);
	ck_assert_int_eq(policy_next(&p, &s, &root, &why), NEXT_CONVERT);
	p.rehash_root = false;
	ck_assert_int_eq(policy_next(&p, &s, &root, &why), NEXT_PREVENTED);
	/* Methods of crypt(3)'s own are for root whatever rehash_root says. */
	complete("$y$j9T$", b, sizeof(b));
	stored_read(&new, b);
	configure(&p, &new, REHASH_WEAKER);
	p.rehash_root = false;
	ck_assert_int_eq(policy_next(&p, &s, &root, &why), NEXT_CONVERT);
}
END_TEST

/* Hashes of other modes do not compare, nor do two outer hashes. */
START_TEST(other_kinds_do_not_compare)
{
	struct strength x = { .family = FAMILY_YESCRYPT, .memory = 1 << 24,
			      .cost = 1, .flags = 1, .salt = 22 }, y = x;
	const struct method *m, *other;
	uint32_t i, j;

	y.cost = 2;
	ck_assert(order_weaker(&x, &y));
	y.flags = 2;
	ck_assert(!order_weaker(&x, &y) && !order_weaker(&y, &x));
	for (i = 0; (m = method_new(i)); i++)
		for (j = 0; j < i && (other = method_new(j)); j++)
			ck_assert(m->family != other->family ||
				  m->outer != other->outer);
}
END_TEST

/* crypt(3) answers a setting that it refuses with a token like "*0". */
START_TEST(a_token_is_no_hash)
{
	static const char *const settings[] = { "$9$saltsalt$", "*0", "" };
	char out[384] = "";
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		ck_assert_int_eq(crypt3_hash(settings[i], "pw", out,
					     sizeof(out)), -1);
	ck_assert_str_eq(out, "");
}
END_TEST

/* A string that is cut off is not read behind its end. */
START_TEST(reads_to_the_end)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *start = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct stored s;
	size_t n;
	int i;

	ck_assert_ptr_ne(start, MAP_FAILED);
	ck_assert_int_eq(mprotect(start + page, page, PROT_NONE), 0);
	for (i = 0; i < n_hashes; i++) {
		for (n = 0; n <= strlen(texts[i]); n++) {
			char *text = start + page - n - 1;

			memcpy(text, texts[i], n);
			text[n] = '\0';
			stored_read(&s, text);
			ck_assert_ptr_eq(s.hash, text);
		}
	}
	munmap(start, 2 * page);
}
END_TEST

/*
 * New hashes are of the method, or of the preferred one if crypt(3) lacks it.
 */
START_TEST(new_hashes_are_of_the_method)
{
	struct policy p = { .prefix = "$2b$", .crypt_cost = 5 };
	char hash[LYRA2_MAX_STRING];

	ck_assert_int_eq(policy_ready(&p), 0);
	ck_assert_str_eq(p.method->name, "bcrypt");
	ck_assert_uint_eq(policy_max_password(&p), 72);
	ck_assert_int_eq(policy_hash(&p, false, W72, hash, sizeof(hash)), 0);
	ck_assert_int_eq(memcmp(hash, "$2b$05$", 7), 0);
	ck_assert_int_eq(policy_hash(&p, false, W72 "x", hash, sizeof(hash)),
			 -1);
	ck_assert_int_eq(errno, EMSGSIZE);
	strcpy(p.prefix, "$1$");
	ck_assert_int_eq(policy_ready(&p), -1);
	p.prefix[0] = '\0';
	p.crypt_cost = 0;
	ck_assert_int_eq(policy_ready(&p), 0);
	/* yescrypt's: 16 MiB */
	ck_assert_uint_eq(p.new_memory, 16 << 20);
	/*
	 * The limit is not below new hashes, nor below those that were Lyra2's.
	 */
	lyra2_params_default(&p.params);
	p.params.rows = 16;
	ck_assert_uint_eq(policy_max_memory(&p), 16 << 20);
	lyra2_params_default(&p.params);
	ck_assert_uint_eq(policy_max_memory(&p), lyra2_memory(&p.params));
}
END_TEST

/*
 * Where root's hash may not be Lyra2's, it is of libcrypt's preferred method.
 */
START_TEST(root_has_its_own)
{
	struct policy p = {
		.lyra2 = LYRA2_METHOD_LYRA2, .rehash_root = (uint32_t)_i
	};
	char hash[LYRA2_MAX_STRING];

	lyra2_params_default(&p.params);
	p.params.rows = 16;
	ck_assert_int_eq(policy_ready(&p), 0);
	ck_assert_uint_eq(policy_max_password(&p), 511);
	ck_assert_int_eq(policy_hash(&p, false, "x", hash, sizeof(hash)), 0);
	ck_assert_int_eq(memcmp(hash, "$lyra2$", 7), 0);
	ck_assert_int_eq(policy_hash(&p, true, "x", hash, sizeof(hash)), 0);
	ck_assert_int_eq(!memcmp(hash, "$lyra2$", 7), _i);
}
END_TEST

/* Cells: "yes": replaced; "no": kept; "-": the same as new hashes */
static void check_row(char *row, char columns[][32], int n)
{
	char *cell = strtok(row, " "), *stored = cell;
	int i;

	for (i = 0; i < n; i++) {
		bool yes;

		ck_assert_str_eq(strtok(NULL, " "), "Ta");
		cell = strtok(NULL, " \n");
		ck_assert_ptr_nonnull(cell);
		yes = is_weaker(stored, columns[i]);
		ck_assert_msg(strcmp(cell, yes ? "yes" : "no") == 0 ||
			      (!yes && strcmp(cell, "-") == 0 &&
			       strcmp(stored, columns[i]) == 0),
			      "%s under %s: %s", stored, columns[i], cell);
	}
}

/* The columns of the table of pam_lyra2.conf(5) */
START_TEST(manual_tells_the_order)
{
	static char columns[][32] = {
		"$lyra2$t2n12c256p2$", "$bashlyra2$t2n12c256p2$", "$y$j9T$",
		"$2b$05$", "$6$"
	};
	const char *top = getenv("SRCDIR");
	char line[256];
	int rows = 0;
	FILE *f;

	snprintf(line, sizeof(line), "%s/man/pam_lyra2.conf.5",
		 top ? top : ".");
	f = fopen(line, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, ".It Li $", 8) == 0) {
			check_row(line + 7, columns, COUNT(columns));
			rows++;
		}
	fclose(f);
	ck_assert_int_ge(rows, 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("order");
	TCase *c = tcase_create("order");

	tcase_add_checked_fixture(c, start, NULL);
	tcase_add_test(c, no_logins_lead_back);
	tcase_add_loop_test(c, knows_by_name, 0, COUNT(named));
	tcase_add_loop_test(c, short_salt_is_weaker, 0, 4);
	tcase_add_loop_test(c, says_which_method_truncates, 0, 2);
	tcase_add_test(c, salt_beyond_ours_makes_no_difference);
	tcase_add_test(c, leaves_unknown_methods);
	tcase_add_loop_test(c, a_login_does_what_it_must, 0, COUNT(logins));
	tcase_add_test(c, root_gets_lyra2_if_allowed);
	tcase_add_test(c, other_kinds_do_not_compare);
	tcase_add_test(c, a_token_is_no_hash);
	tcase_add_test(c, reads_to_the_end);
	tcase_add_test(c, new_hashes_are_of_the_method);
	tcase_add_loop_test(c, root_has_its_own, 0, 2);
	tcase_add_test(c, manual_tells_the_order);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
