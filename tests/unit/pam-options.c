/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of the PAM module: the line, the file, and what either may hold. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-main.h"
#include "src/stored/options.h"

static char said[4096];
static char path[] = "/tmp/pam-options.XXXXXX";
static char conf[64];
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
	snprintf(conf, sizeof(conf), "conf=%s", path);
	said[0] = '\0';
}

static void stop(void)
{
	unlink(path);
}

/* Reads one word after a file of these bytes. */
static void read_bytes(const char *file, size_t len, const char *word)
{
	const char *argv[] = { conf, word };
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(file, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
	options_read(&o, word ? 2 : 1, argv, complain, NULL);
}

static void read_both(const char *file, const char *word)
{
	read_bytes(file, strlen(file), word);
}

START_TEST(defaults)
{
	struct lyra2_params p;

	lyra2_params_init(&p);
	lyra2_params_fill(&p);
	read_both("", NULL);
	ck_assert_str_eq(said, "");
	ck_assert_mem_eq(&o.policy.params, &p, sizeof(p));
	ck_assert_uint_eq(o.policy.max_memory, LYRA2_MAX_MEMORY);
	ck_assert_uint_eq(o.policy.rehash, REHASH_ALWAYS);
	ck_assert_uint_eq(o.policy.rehash_root, ROOT_AUTO);
	ck_assert_uint_eq(o.nullok | o.nodelay | o.quiet | o.debug |
			  o.use_authtok | o.before_unix | o.no_pass_expiry, 0);
	ck_assert_uint_eq(o.minlen, 6);
}
END_TEST

/* What an administrator gets who removes each "# " before a setting. */
START_TEST(sample_shows_the_defaults)
{
	static char line[256], text[4096];
	struct options by_default;
	const char *top = getenv("SRCDIR");
	FILE *f;

	read_both("", NULL);
	by_default = o;
	snprintf(line, sizeof(line), "%s/pam/pam_lyra2.conf", top ? top : ".");
	f = fopen(line, "r");
	ck_assert_ptr_nonnull(f);
	text[0] = '\0';
	/* If not given, these are the number of CPUs, and everybody. */
	while (fgets(line, sizeof(line), f))
		if (line[0] == '#' && strstr(line, " = ") &&
		    !strstr(line, "max_concurrent") &&
		    !strstr(line, "rehash_group"))
			strncat(text, line + 2,
				sizeof(text) - strlen(text) - 1);
	fclose(f);
	ck_assert_ptr_nonnull(strstr(text, "minlen = "));
	read_both(text, NULL);
	ck_assert_str_eq(said, "");
	ck_assert_mem_eq(&o, &by_default, sizeof(o));
}
END_TEST

#define AT(field) offsetof(struct options, field)

static const struct {
	const char *word;
	size_t field;
	uint32_t value;
} good[] = {
	{ "minlen=0", AT(minlen), 0 },
	{ "minlen=12", AT(minlen), 12 },
	{ "norehash", AT(policy.rehash), REHASH_NEVER },
	{ "rehash=log-only", AT(policy.rehash), REHASH_LOG_ONLY },
	{ "rehash_root=yes", AT(policy.rehash_root), ROOT_YES },
	{ "rehash_root=no", AT(policy.rehash_root), ROOT_NO },
	{ "max_concurrent=3", AT(policy.max_concurrent), 3 },
	{ "version=2.5", AT(policy.params.version), 25 },
	{ "version=2.5", AT(policy.params.sponge), LYRA2_BLAKE2B },
	{ "version=2.5", AT(policy.params.lanes), 1 },
	{ "sponge=blake2b", AT(policy.params.sponge), LYRA2_BLAKE2B },
	{ "t_cost=5", AT(policy.params.t_cost), 5 },
	{ "rows=100", AT(policy.params.rows), 100 },
	{ "cols=64", AT(policy.params.cols), 64 },
	{ "lanes=2", AT(policy.params.lanes), 2 },
	{ "outer=bash256", AT(policy.params.outer), LYRA2_BASH256 },
	{ "outer=none", AT(policy.params.outer), LYRA2_NO_OUTER },
	{ "cost=4", AT(policy.params.rows), 16 },
	{ "cost=13", AT(policy.params.rows), 8192 },
};

START_TEST(takes)
{
	uint32_t value;

	read_both("", good[_i].word);
	ck_assert_str_eq(said, "");
	memcpy(&value, (char *)&o + good[_i].field, sizeof(value));
	ck_assert_uint_eq(value, good[_i].value);
}
END_TEST

static const struct {
	const char *word;
	size_t field;
} flags[] = {
	{ "debug", AT(debug) },
	{ "quiet", AT(quiet) },
	{ "nullok", AT(nullok) },
	{ "nodelay", AT(nodelay) },
	{ "use_authtok", AT(use_authtok) },
	{ "use_first_pass", AT(use_first_pass) },
	{ "before_unix", AT(before_unix) },
	{ "no_pass_expiry", AT(no_pass_expiry) },
	{ "audit", AT(debug) },
	{ "nullok_secure", AT(nullok) },
};

START_TEST(takes_flags)
{
	const bool *flag = (const bool *)(const void *)
		((const char *)&o + flags[_i].field);

	read_both("", NULL);
	ck_assert(!*flag);
	read_both("", flags[_i].word);
	ck_assert_str_eq(said, "");
	ck_assert(*flag);
}
END_TEST

/* Options of pam_unix(8) that have no meaning here. */
static const char *const unix_options[] = {
	"authtok_type=UNIX", "bigcrypt", "blowfish", "broken_shadow", "des",
	"gost_yescrypt", "likeauth", "md5", "nis", "noreap", "nullresetok",
	"obscure", "remember=5", "rounds=99999999999", "sha256", "sha512",
	"shadow", "try_first_pass", "yescrypt",
};

START_TEST(accepts_options_of_pam_unix)
{
	struct options before;
	char line[64];

	read_both("", NULL);
	before = o;
	read_both("", unix_options[_i]);
	ck_assert_str_eq(said, "");
	ck_assert_mem_eq(&o, &before, sizeof(o));
	snprintf(line, sizeof(line), "%s%s\n", unix_options[_i],
		 strchr(unix_options[_i], '=') ? "" : "=1");
	read_both(line, NULL);
	ck_assert_ptr_nonnull(strstr(said, ":1: unknown key"));
}
END_TEST

/* Each is ignored, with one complaint. */
static const char *const bad_words[] = {
	"nullokXYZ", "null", "NULLOK", "nullok=1", "nullok=", "minlen",
	"minlen=", "minlen=x", "minlen=-1", "minlen=+1", "minlen= 1",
	"minlen=0x10", "minlen=512", "minlen=99999999999999999999",
	"t_cost=0", "t_cost=4294967296", "cost=3",
	"cost=16", "rows=2", "cols=0", "version=30", "version=2",
	"sponge=blake", "sponge=half-blamka", "outer=", "outer=bash",
	"outer=bash512", "outer=1", "rotation=256", "rehash=log",
	"rehash_root=maybe", "max_concurrent=0", "max_memory=1",
	"max_memory=2G", "max_memory=1GG", "max_memory=1T", "rows=1K",
	"max_memory=17179869185G" /* 2^64 and 1 GiB */, "", "=", "debug ",
	"an_option_that_nobody_could_ever_have_thought_of=1",
};

START_TEST(leaves_out)
{
	struct options before;

	read_both("", NULL);
	before = o;
	before.policy.rehash = REHASH_NEVER;
	read_both("", bad_words[_i]);
	ck_assert_ptr_nonnull(strstr(said, bad_words[_i]));
	ck_assert_ptr_nonnull(strchr(said, '\n'));
	ck_assert_mem_eq(&o, &before, sizeof(o));
}
END_TEST

START_TEST(sizes)
{
	read_both("", "max_memory=128M");
	ck_assert_uint_eq(o.policy.max_memory, 128 << 20);
	read_both("", "max_memory=1G");
	ck_assert_uint_eq(o.policy.max_memory, 1 << 30);
	read_both("", "max_memory=131072K");
	ck_assert_uint_eq(o.policy.max_memory, 128 << 20);
	read_both("", "max_memory=134217728");
	ck_assert_uint_eq(o.policy.max_memory, 128 << 20);
	ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(line_wins_over_file)
{
	read_both("cost = 5\nt_cost=7\nrehash = never\n", "cost=6");
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(o.policy.params.rows, 64);
	ck_assert_uint_eq(o.policy.params.t_cost, 7);
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
}
END_TEST

START_TEST(file_has_comments_and_blanks)
{
	read_both("# all\n\n  \t\n\tt_cost\t=\t3  # three\r\ncols=32", NULL);
	ck_assert_str_eq(said, "");
	ck_assert_uint_eq(o.policy.params.t_cost, 3);
	ck_assert_uint_eq(o.policy.params.cols, 32);
}
END_TEST

static const struct {
	const char *file, *complaint;
} bad_files[] = {
	{ "\nt_cost\n", ":2: this line has no \"=\"\n" },
	{ "tcost = 1\n", ":1: unknown key \"tcost\"\n" },
	{ "nullok = 1\n", ":1: unknown key \"nullok\"\n" },
	{ "= 1\n", ":1: unknown key \"\"\n" },
	{ "cost = 40\n",
	  ":1: cost ignored: it must be a number, 4 to 15\n" },
	{ "cost =\n", ":1: cost ignored: it must be a number, 4 to 15\n" },
	{ "rehash = on\n", ":1: rehash ignored: it must be always or never or "
	  "log-only or exact\n" },
	{ "max_memory = lots\n", ":1: max_memory ignored: it must be a number, "
	  "1048576 to 1073741824, or one with K, M or G\n" },
};

START_TEST(file_is_reported_with_line_and_reason)
{
	char want[512];

	snprintf(want, sizeof(want), "%s%s", path, bad_files[_i].complaint);
	read_both(bad_files[_i].file, "t_cost=9");
	ck_assert_str_eq(said, want);
	ck_assert_uint_eq(o.policy.params.t_cost, 9);
}
END_TEST

START_TEST(file_may_hold_anything)
{
	static const char nul[] = "cols = 7\nt_cost\0 = 3\ncost = 5\n";
	static char line[100000];

	read_bytes(nul, sizeof(nul) - 1, NULL);
	ck_assert_ptr_nonnull(strstr(said, ":2: this line has a NUL byte\n"));
	ck_assert_uint_eq(o.policy.params.rows, 32);
	memset(line, 'x', sizeof(line));
	read_bytes(line, sizeof(line), NULL);
	ck_assert_ptr_nonnull(strstr(said, ":1: this line has no"));
}
END_TEST

START_TEST(file_named_must_exist)
{
	stop();
	options_read(&o, 1, (const char *[]){ conf }, complain, NULL);
	ck_assert_ptr_nonnull(strstr(said, ": No such file or directory\n"));
	said[0] = '\0';
	options_read(&o, 1, (const char *[]){ "conf=/dev/zero" }, complain,
		     NULL);
	ck_assert_str_eq(said, "/dev/zero: not a regular file, or larger than "
			 "1 MiB\n");
	said[0] = '\0';
	options_read(&o, 0, NULL, complain, NULL);
	ck_assert_str_eq(said, "");
}
END_TEST

/* A login neither waits for what is no file nor reads without an end. */
START_TEST(file_must_be_a_file)
{
	static char comment[(1 << 20) + 1];

	memset(comment, '#', sizeof(comment));
	read_bytes(comment, sizeof(comment) - 1, NULL);
	ck_assert_str_eq(said, "");
	read_bytes(comment, sizeof(comment), NULL);
	ck_assert_ptr_nonnull(strstr(said, "larger than 1 MiB"));
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	said[0] = '\0';
	alarm(20);
	options_read(&o, 1, (const char *[]){ conf }, complain, NULL);
	ck_assert_ptr_nonnull(strstr(said, "not a regular file"));
}
END_TEST

/* Nothing can be read at the beginning of this memory. */
START_TEST(file_that_fails_is_reported)
{
	options_read(&o, 1, (const char *[]){ "conf=/proc/self/mem" },
		     complain, NULL);
	ck_assert_str_eq(said, "/proc/self/mem: Input/output error\n");
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
}
END_TEST

static const char *const bad_params[] = {
	"rows = 4096\nlanes = 2000\n", "version = 2.5\nlanes = 2\n",
	"version = 2.5\nsponge = blamka\n", "rows = 4000000000\n",
	"t_cost = 4294967295\n", "rows = 2000000\ncols = 64\n",
};

START_TEST(impossible_parameters_give_the_defaults)
{
	struct lyra2_params p;

	lyra2_params_init(&p);
	lyra2_params_fill(&p);
	read_both(bad_params[_i], NULL);
	ck_assert_ptr_nonnull(strstr(said, "parameters of new hashes refused"));
	ck_assert_mem_eq(&o.policy.params, &p, sizeof(p));
}
END_TEST

/* Otherwise every new hash would be refused at the next login. */
START_TEST(own_hashes_fit_into_max_memory)
{
	read_both("max_memory = 16M\n", NULL);
	ck_assert_str_eq(said,
			 "max_memory raised, because new hashes take more\n");
	ck_assert_uint_eq(o.policy.max_memory, 96 << 20);
	read_both("max_memory = 16M\ncost = 9\n", NULL);
	ck_assert_uint_eq(o.policy.max_memory, 16 << 20);
}
END_TEST

/* Nobody's hash changes because of what may be a typo. */
START_TEST(complaint_forbids_rehash)
{
	read_both("rehash = exact\n", NULL);
	ck_assert_uint_eq(o.policy.rehash, REHASH_EXACT);
	read_both("rehash = exact\ncots = 4\n", NULL);
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
	read_both("", "nonsense");
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
	unlink(path);
	options_read(&o, 1, (const char *[]){ conf }, complain, NULL);
	ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
}
END_TEST

START_TEST(file_of_others_is_refused)
{
	static const mode_t modes[] = { 0620, 0602, 0666 };
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		said[0] = '\0';
		ck_assert_int_eq(chmod(path, modes[i]), 0);
		read_both("minlen = 12\n", NULL);
		ck_assert_ptr_nonnull(strstr(said, "others can write"));
		ck_assert_uint_eq(o.minlen, 6);
		ck_assert_uint_eq(o.policy.rehash, REHASH_NEVER);
	}
	ck_assert_int_eq(chmod(path, 0644), 0);
	if (getuid() != 0 || chown(path, 1, 0) < 0)
		return;
	said[0] = '\0';
	read_both("minlen = 12\n", NULL);
	ck_assert_ptr_nonnull(strstr(said, "does not belong to root"));
	ck_assert_uint_eq(o.minlen, 6);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *suite = suite_create("pam-options");
	TCase *c = tcase_create("pam-options");

	tcase_add_checked_fixture(c, start, stop);
	tcase_add_test(c, defaults);
	tcase_add_test(c, sample_shows_the_defaults);
	tcase_add_loop_test(c, takes, 0, COUNT(good));
	tcase_add_loop_test(c, takes_flags, 0, COUNT(flags));
	tcase_add_loop_test(c, accepts_options_of_pam_unix, 0,
			    COUNT(unix_options));
	tcase_add_loop_test(c, leaves_out, 0, COUNT(bad_words));
	tcase_add_test(c, sizes);
	tcase_add_test(c, line_wins_over_file);
	tcase_add_test(c, file_has_comments_and_blanks);
	tcase_add_loop_test(c, file_is_reported_with_line_and_reason, 0,
			    COUNT(bad_files));
	tcase_add_test(c, file_may_hold_anything);
	tcase_add_test(c, file_named_must_exist);
	tcase_add_test(c, file_must_be_a_file);
	tcase_add_test(c, file_that_fails_is_reported);
	tcase_add_test(c, complaint_forbids_rehash);
	tcase_add_test(c, file_of_others_is_refused);
	tcase_add_loop_test(c, impossible_parameters_give_the_defaults, 0,
			    COUNT(bad_params));
	tcase_add_test(c, own_hashes_fit_into_max_memory);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
