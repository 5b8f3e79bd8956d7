/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of the PAM module: the line, the file, and what either may hold. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-main.h"
#include "src/config/options.h"

static char said[4096];
static char path[] = "pam-options.XXXXXX";
static struct options o;

static void complain(void *arg, const char *text)
{
	(void)arg;
	strncat(said, text, sizeof(said) - strlen(said) - 2);
	strcat(said, "\n");
}

static void start(void)
{
	int fd;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	said[0] = '\0';
}

static void stop(void)
{
	unlink(path);
}

static int read_path(const char *name)
{
	char file[64];
	char *const paths[] = { file, NULL };

	strcpy(file, name);
	return options_read(&o, paths, NULL, complain, NULL);
}

static void read_bytes(const char *file, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(file, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
	read_path(path);
}

static void read_text(const char *file)
{
	read_bytes(file, strlen(file));
}

static void read_word(const char *word)
{
	options_read_words(&o, 1, &word, complain, NULL);
}

START_TEST(defaults)
{
	struct lyra2_params p;

	lyra2_params_default(&p);
	read_text("");
	ck_assert_str_eq(said, "");
	ck_assert_mem_eq(&o.policy.params, &p, sizeof(p));
	ck_assert_uint_eq(o.policy.max_memory, LYRA2_MAX_MEMORY);
	ck_assert_uint_eq(o.policy.rehash, REHASH_LOG_ONLY);
	ck_assert_uint_eq(o.policy.rehash_root, 0);
	ck_assert_uint_eq(o.nullok | o.nodelay | o.debug | o.use_authtok |
			  o.before_unix, 0);
	ck_assert_uint_eq(o.minlen, 6);
}
END_TEST

/* Removing each "# " before a setting only names the method. */
START_TEST(sample_shows_the_defaults)
{
	static char line[256], text[4096];
	struct options by_default;
	const char *top = getenv("SRCDIR");
	FILE *f;

	read_text("method = lyra2\n");
	by_default = o;
	snprintf(line, sizeof(line), "%s/pam/pam_lyra2.conf", top ? top : ".");
	f = fopen(line, "r");
	ck_assert_ptr_nonnull(f);
	text[0] = '\0';
	/*
	 * The defaults of these are the number of CPUs, everybody and nobody.
	 */
	while (fgets(line, sizeof(line), f))
		if (line[0] == '#' && strstr(line, " = ") &&
		    !strstr(line, "max_concurrent") &&
		    !strstr(line, "rehash_group") &&
		    !strstr(line, "ask_for_others"))
			strncat(text, line + 2,
				sizeof(text) - strlen(text) - 1);
	fclose(f);
	ck_assert_ptr_nonnull(strstr(text, "minlen = "));
	read_text(text);
	ck_assert_str_eq(said, "");
	ck_assert_mem_eq(&o, &by_default, sizeof(o));
}
END_TEST

static void expect_text(const char *name, const char *want)
{
	char text[OPTION_TEXT];
	size_t i;

	for (i = 0; strcmp(options_text(&o, i, text), name) != 0; i++)
		;
	ck_assert_str_eq(text, want);
}

/* What lyra2 audit --config shows of a file, a file can say. */
START_TEST(writes_what_it_reads)
{
	static const char file[] =
		"minlen = 9\nrehash = leave\nrehash_root = no\n"
		"rehash_group = trial\nask_for_others = a b\n"
		"method = bcrypt\ncrypt_cost = 7\nmax_concurrent = 3\n"
		"max_memory = 1025K\nt_cost = 4\ncols = 64\nlanes = 4\n"
		"cost = 9\n";
	static const char *const sizes[] = { "1048577", "1023M", "1G" };
	char text[OPTION_TEXT], all[sizeof(file) + 1] = "";
	const char *name;
	size_t i, n = 0;

	read_text(file);
	ck_assert_str_eq(said, "");
	for (i = 0; (name = options_text(&o, i, text)); i++)
		if (*name)
			n += (size_t)snprintf(all + n, sizeof(all) - n,
					      "%s = %s\n", name, text);
	ck_assert_str_eq(all, file);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(all, sizeof(all), "max_memory = %s\n", sizes[i]);
		read_text(all);
		expect_text("max_memory", sizes[i]);
	}
	/* Nobody gave these. */
	expect_text("max_concurrent", "");
	expect_text("crypt_cost", "0");
}
END_TEST

START_TEST(users_who_ask_for_others)
{
	static const char text[] = "a b c d e f g h i j k l m n o p";

	read_text("ask_for_others = a\n\nask_for_others = "
		  "a b c d e f g h i j k l m n o p \n");
	ck_assert_str_eq(said, "");
	ck_assert_str_eq(o.askers, text);
	read_text("minlen = 6\n");
	ck_assert_str_eq(o.askers, "");
}
END_TEST

#define AT(field) offsetof(struct options, field)
#define FLAG UINT32_MAX	/* a bool, which is set */

static const struct {
	const char *word;
	size_t field;
	uint32_t value;
} good[] = {
	{ "minlen=0", AT(minlen), 0 },
	{ "minlen=12", AT(minlen), 12 },
	{ "rehash=never", AT(policy.rehash), REHASH_NEVER },
	{ "rehash_root=yes", AT(policy.rehash_root), 1 },
	{ "rehash_root=no", AT(policy.rehash_root), 0 },
	{ "max_concurrent=1", AT(policy.max_concurrent), 1 },
	{ "max_concurrent=3", AT(policy.max_concurrent), 3 },
	{ "max_memory=128M", AT(policy.max_memory), 128 << 20 },
	{ "max_memory=1G", AT(policy.max_memory), 1 << 30 },
	{ "max_memory=131072K", AT(policy.max_memory), 128 << 20 },
	{ "max_memory=134217728", AT(policy.max_memory), 128 << 20 },
	{ "t_cost=5", AT(policy.params.t_cost), 5 },
	{ "cols=64", AT(policy.params.cols), 64 },
	{ "lanes=4", AT(policy.params.lanes), 4 },
	{ "method=lyra2", AT(policy.lyra2), LYRA2_METHOD_LYRA2 },
	{ "method=bash-lyra2", AT(policy.lyra2), LYRA2_METHOD_BASH_LYRA2 },
	{ "cost=4", AT(policy.params.rows), 16 },
	{ "cost=13", AT(policy.params.rows), 8192 },
	{ "debug", AT(debug), FLAG },
	{ "audit", AT(debug), FLAG },
	{ "nullok", AT(nullok), FLAG },
	{ "nullok_secure", AT(nullok), FLAG },
	{ "nodelay", AT(nodelay), FLAG },
	{ "use_authtok", AT(use_authtok), FLAG },
	{ "use_first_pass", AT(use_first_pass), FLAG },
	{ "before_unix", AT(before_unix), FLAG },
	{ "skip_unix", AT(before_unix), FLAG },
	{ "skip_unix", AT(skip_unix), FLAG },
};

START_TEST(takes)
{
	const char *field = (char *)&o + good[_i].field;
	uint32_t value;

	ROW(good[_i].word);
	if (strchr(good[_i].word, '='))
		read_text(good[_i].word);
	else
		read_word(good[_i].word);
	ck_assert_str_eq(said, "");
	memcpy(&value, field, sizeof(value));
	if (good[_i].value == FLAG)
		ck_assert(*(const bool *)(const void *)field);
	else
		ck_assert_uint_eq(value, good[_i].value);
}
END_TEST

/* Without a method, no hash is replaced; see reads_what_the_machine_says. */
static const struct {
	const char *text;
	uint32_t rehash;
} rehashes[] = {
	{ "rehash = weaker\n", REHASH_LOG_ONLY },
	{ "rehash = exact\n", REHASH_LOG_ONLY },
	{ "rehash = leave\n", REHASH_LOG_ONLY },
	{ "rehash = log-only\n", REHASH_LOG_ONLY },
	{ "rehash = never\n", REHASH_NEVER },
	{ "cost = 13\nrehash_root = yes\n", REHASH_LOG_ONLY },
	{ "method = lyra2\n", REHASH_WEAKER },
	{ "method = system\n", REHASH_WEAKER },
	{ "rehash = exact\nmethod = lyra2\n", REHASH_EXACT },
	{ "method = lyra2\nrehash = log-only\n", REHASH_LOG_ONLY },
};

START_TEST(needs_a_method)
{
	ROW(rehashes[_i].text);
	read_text(rehashes[_i].text);
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(o.policy.rehash, rehashes[_i].rehash);
	ck_assert(!strstr(rehashes[_i].text, "lyra2") == !o.policy.lyra2);
}
END_TEST

/* Options of pam_unix(8) that have no meaning here. */
static const char *const unix_options[] = {
	"authtok_type=UNIX", "bigcrypt", "blowfish", "broken_shadow", "des",
	"gost_yescrypt", "likeauth", "md5", "nis", "no_pass_expiry",
	"noreap", "nullresetok", "obscure", "quiet", "remember=5",
	"rounds=99999999999", "sha256", "sha512", "shadow", "try_first_pass",
	"yescrypt",
};

START_TEST(accepts_options_of_pam_unix)
{
	struct options before;
	char line[64];

	ROW(unix_options[_i]);
	memset(&before, 0, sizeof(before));
	read_word(unix_options[_i]);
	ck_assert_str_eq(said, "");
	ck_assert_mem_eq(&o, &before, sizeof(o));
	snprintf(line, sizeof(line), "%s%s\n", unix_options[_i],
		 strchr(unix_options[_i], '=') ? "" : "=1");
	read_text(line);
	ck_assert_ptr_nonnull(strstr(said, ":1: unknown key"));
}
END_TEST

/*
 * Each word is ignored, with one complaint; the cost is an option of the file.
 */
static const char *const bad_words[] = {
	"nullokXYZ", "NULLOK", "nullok=1", "minlen", "minlen=", "minlen=x",
	"minlen=-1", "minlen=+1", "minlen= 1", "minlen=0x10", "minlen=512",
	"minlen=99999999999999999999", "t_cost=3", "rehash=never",
	"conf=/etc/passwd", "", "=", "debug ",
	"an_option_that_nobody_could_ever_have_thought_of=1",
	"an_option_with_as_much_as_31_b_", "an_option_with_as_much_as_32_b__",
	"an_option_with_as_much_as_32_b__=1",
};

START_TEST(leaves_out_words)
{
	struct options before;

	ROW(bad_words[_i]);
	memset(&before, 0, sizeof(before));
	read_word(bad_words[_i]);
	ck_assert_ptr_nonnull(strstr(said, bad_words[_i]));
	ck_assert_ptr_nonnull(strchr(said, '\n'));
	ck_assert_mem_eq(&o, &before, sizeof(o));
}
END_TEST

static const char *const bad_lines[] = {
	"t_cost=1", "t_cost=4294967296", "cost=3", "cost=16", "cols=11",
	"cols=4097", "lanes=0", "lanes=5", "method=bash", "rehash=log",
	"rehash=always", "max_concurrent=0", "max_concurrent=257",
	"max_memory=1", "max_memory=2G", "max_memory=1GG", "cols=1K",
	"max_memory=17179869185G" /* 2^64 and 1 GiB */,
};

START_TEST(leaves_out_lines)
{
	struct options safe;

	ROW(bad_lines[_i]);
	/* The same as after a mistake that sets nothing */
	read_text("x = 1");
	safe = o;
	said[0] = '\0';
	read_text(bad_lines[_i]);
	ck_assert_ptr_nonnull(strstr(said, ":1: "));
	ck_assert_ptr_nonnull(strstr(said, " ignored: it must be "));
	ck_assert_mem_eq(&o, &safe, sizeof(o));
}
END_TEST

START_TEST(minlen_may_be_a_word)
{
	read_word("minlen=12");
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(o.minlen, 12);
}
END_TEST

START_TEST(file_has_comments_and_blanks)
{
	read_text("# all\n\n  \t\n\tt_cost\t=\t3  # three\r\ncols=32");
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(o.policy.params.t_cost, 3);
	ck_assert_uint_eq(o.policy.params.cols, 32);
}
END_TEST

static const struct {
	const char *file, *complaint;
} bad_files[] = {
	{ "\nt_cost\n", ":2: this line has no \"=\"\n" },
	{ "rows = 4096\n", ":1: unknown key \"rows\"\n" },
	{ "nullok = 1\n", ":1: unknown key \"nullok\"\n" },
	{ "= 1\n", ":1: unknown key \"\"\n" },
	{ "cost = 40\n",
	  ":1: cost ignored: it must be a number, 4 to 15\n" },
	{ "cost =\n", ":1: cost ignored: it must be a number, 4 to 15\n" },
	{ "rehash_group = abcdefghijklmnopqrstuvwxyz0123456\n",
	  ":1: rehash_group ignored: it must have 0 to 32 characters\n" },
	{ "rehash = on\n", ":1: rehash ignored: it must be weaker or exact or "
	  "leave or log-only or never\n" },
	{ "method = yescript\n", ":1: method ignored: it must be system or "
	  "lyra2 or bash-lyra2 or yescrypt or gost-yescrypt or sm3-yescrypt "
	  "or scrypt or bcrypt or sha512crypt\n" },
	{ "ask_for_others =\n", ":1: ask_for_others ignored: it must have 1 to "
	  "511 characters\n" },
	{ "ask_for_others = a b c d e f g h i j k l m n o p\tq\n",
	  ":1: ask_for_others ignored: it must have at most 16 names\n" },
	{ "\nask_for_others = a b c d e f g h i j k l m n o p q\n",
	  ":2: ask_for_others ignored: it must have at most 16 names\n" },
	/* Errors of the file as a whole */
	{ "minlen = 8\nmethod = bcrypt\ncrypt_cost = 31\nminlen = 9\n",
	  ":3: crypt(3) cannot make bcrypt at this crypt_cost\n" },
	{ "rehash_root = auto\n",
	  ":1: rehash_root ignored: it must be no or yes\n" },
	{ "lanes = 3\nminlen = 9\n", ":1: invalid parameters for new hashes: "
	  "lanes: 3 is not 1, 2 or 4\n" },
	{ "cost = 15\ncols = 512\n", ":2: invalid parameters for new hashes: "
	  "rows * cols: 32768 * 512 take 1572864 KiB, the limit is 1048576\n" },
	{ "method = yescrypt\ncrypt_cost = 4\n",
	  ":2: crypt_cost is below the default of yescrypt, 5\n" },
	{ "method = gost-yescrypt\ncrypt_cost = 4\n",
	  ":2: crypt_cost is below the default of gost-yescrypt, 5\n" },
	{ "method = scrypt\ncrypt_cost = 6\n",
	  ":2: crypt_cost is below the default of scrypt, 7\n" },
	{ "method = bcrypt\ncrypt_cost = 4\n",
	  ":2: crypt_cost is below the default of bcrypt, 5\n" },
	{ "method = sha512crypt\ncrypt_cost = 4999\n",
	  ":2: crypt_cost is below the default of sha512crypt, 5000\n" },
	{ "max_memory = lots\n", ":1: max_memory ignored: it must be a number, "
	  "1048576 to 1073741824, or one with K, M or G\n" },
};

START_TEST(file_is_reported_with_line_and_reason)
{
	char want[512];

	ROW(bad_files[_i].file);
	snprintf(want, sizeof(want), "%s%s", path, bad_files[_i].complaint);
	read_text(bad_files[_i].file);
	ck_assert_str_eq(said, want);
}
END_TEST

/* A default that is written down is no mistake. */
START_TEST(crypt_cost_may_be_the_default)
{
	static const char *const costs[] = {
		"yescrypt\ncrypt_cost = 5\n", "bcrypt\ncrypt_cost = 5\n",
		"scrypt\ncrypt_cost = 7\n", "sha512crypt\ncrypt_cost = 5000\n"
	};
	char text[64];

	ROW(costs[_i]);
	snprintf(text, sizeof(text), "method = %s", costs[_i]);
	read_text(text);
	ck_assert_str_eq(said, "");
	ck_assert_uint_ne(o.policy.rehash, REHASH_NEVER);
}
END_TEST

START_TEST(file_may_hold_anything)
{
	static const char nul[] = "cols = 17\nt_cost\0 = 3\ncost = 5\n";
	static char line[100000];

	read_bytes(nul, sizeof(nul) - 1);
	ck_assert_ptr_nonnull(strstr(said, ":2: this line has a NUL byte\n"));
	ck_assert_uint_eq(o.policy.params.rows, 32);
	memset(line, 'x', sizeof(line));
	read_bytes(line, sizeof(line));
	ck_assert_ptr_nonnull(strstr(said, ":1: this line has no"));
}
END_TEST

/*
 * A login neither waits for a file that is not regular nor reads without end.
 */
START_TEST(file_must_be_a_file)
{
	static char comment[(1 << 20) + 1];

	memset(comment, '#', sizeof(comment));
	read_bytes(comment, sizeof(comment) - 1);
	ck_assert_str_eq(said, "");
	read_bytes(comment, sizeof(comment));
	ck_assert_ptr_nonnull(strstr(said, "larger than 1 MiB"));
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	said[0] = '\0';
	alarm(20);
	read_path(path);
	ck_assert_ptr_nonnull(strstr(said, "not a regular file"));
}
END_TEST

/* The last file cannot be read at its beginning: a process's memory. */
static const struct {
	const char *path, *complaint;
	int result;
} unreadable[] = {
	{ "/dev/zero",
	  "/dev/zero: not a regular file, or larger than 1 MiB\n", 0 },
	{ "/proc/self/mem", "/proc/self/mem: Input/output error\n", -1 },
};

START_TEST(file_named_must_be_read)
{
	ROW(unreadable[_i].path);
	ck_assert_int_eq(read_path(unreadable[_i].path),
			 unreadable[_i].result);
	ck_assert_str_eq(said, unreadable[_i].complaint);
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
	said[0] = '\0';
	read_path("/nowhere");
	ck_assert_str_eq(said, "");
}
END_TEST

/* Nor does a file behind it hide that. */
START_TEST(each_file_must_be_read)
{
	char *const paths[] = { (char[]){ "/proc/self/mem" }, path, NULL };

	read_text("minlen = 9\n");
	ck_assert_int_eq(options_read(&o, paths, NULL, complain, NULL), -1);
	ck_assert_uint_eq(o.minlen, 9);
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
}
END_TEST

/* No hash changes because of a line that may be a typo. */
START_TEST(complaint_makes_safe)
{
	char as_without[8];

	read_text("");
	strcpy(as_without, o.policy.prefix);
	read_text("rehash = exact\nmethod = bash-lyra2\n");
	ck_assert_uint_eq(o.policy.rehash, REHASH_EXACT);
	ck_assert_str_eq(o.policy.method->name, "bash-lyra2");
	read_text("rehash = exact\nmethod = bash-lyra2\ncots = 4\n");
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
	ck_assert_uint_eq(o.policy.lyra2, 0);
	ck_assert_str_eq(o.policy.prefix, as_without);
	read_text("method = yescrypt\ncrypt_cost = 4\n");
	ck_assert_uint_eq(o.policy.crypt_cost, 0);
	/* No parameters remain that would allow a hash any memory. */
	read_text("cost = 15\ncols = 512\nmax_memory = 32M\n");
	ck_assert_uint_eq(policy_max_memory(&o.policy), 96 << 20);
}
END_TEST

/* It is cut off, however long the key is. */
START_TEST(long_complaint_has_a_limit)
{
	char text[600];

	memset(text, 'k', sizeof(text));
	strcpy(text + _i, " = 1\n");
	read_text(text);
	ck_assert_ptr_nonnull(strstr(said, "kkkk"));
	ck_assert_uint_le(strlen(said), 512);
}
END_TEST

START_TEST(file_of_others_is_refused)
{
	static const mode_t modes[] = { 0620, 0602, 0666 };
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		said[0] = '\0';
		ck_assert_int_eq(chmod(path, modes[i]), 0);
		read_text("minlen = 12\n");
		ck_assert_ptr_nonnull(strstr(said, "others can write"));
		ck_assert_uint_eq(o.minlen, 6);
		ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
	}
	ck_assert_int_eq(chmod(path, 0644), 0);
	if (getuid() != 0 || chown(path, 1, 0) < 0)
		return;
	said[0] = '\0';
	read_text("minlen = 12\n");
	ck_assert_ptr_nonnull(strstr(said, "does not belong to root"));
	ck_assert_uint_eq(o.minlen, 6);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *suite = suite_create("pam-options");
	TCase *c = tcase_create("pam-options");

	check_descriptors(c);
	tcase_add_checked_fixture(c, start, stop);
	tcase_add_test(c, defaults);
	tcase_add_test(c, sample_shows_the_defaults);
	tcase_add_test(c, writes_what_it_reads);
	tcase_add_test(c, users_who_ask_for_others);
	tcase_add_loop_test(c, takes, 0, COUNT(good));
	tcase_add_loop_test(c, needs_a_method, 0, COUNT(rehashes));
	tcase_add_loop_test(c, accepts_options_of_pam_unix, 0,
			    COUNT(unix_options));
	tcase_add_loop_test(c, leaves_out_words, 0, COUNT(bad_words));
	tcase_add_loop_test(c, leaves_out_lines, 0, COUNT(bad_lines));
	tcase_add_test(c, minlen_may_be_a_word);
	tcase_add_test(c, file_has_comments_and_blanks);
	tcase_add_loop_test(c, file_is_reported_with_line_and_reason, 0,
			    COUNT(bad_files));
	tcase_add_loop_test(c, crypt_cost_may_be_the_default, 0, 4);
	tcase_add_test(c, file_may_hold_anything);
	tcase_add_test(c, file_must_be_a_file);
	tcase_add_loop_test(c, file_named_must_be_read, 0,
			    COUNT(unreadable));
	tcase_add_test(c, each_file_must_be_read);
	tcase_add_test(c, complaint_makes_safe);
	tcase_add_loop_test(c, long_complaint_has_a_limit, 485, 490);
	tcase_add_test(c, file_of_others_is_refused);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
