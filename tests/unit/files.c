/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The readers of the system's files.  A file that is absent or cannot be read
 * is neither an unknown user nor a default.  Each file, in another root
 * directory, has a text, or stands for an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "devlog.h"
#include "pam/service/configuration.h"
#include "src/account/entry.h"
#include "src/account/passwd.h"
#include "src/config/paths.h"
#include "src/tool/architectures.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

/* In place of a text: no file, or one that open(2) or read(2) fails for */
#define ABSENT NULL
static const char loop[] = "a loop", folder[] = "a folder";
#define NO_FILE ": No such file or directory"
#define LOOPS ": Too many levels of symbolic links"
#define IS_FOLDER ": Is a directory"
#define NO_PASSWD "cannot read root/etc/passwd"
#define NO_SHADOW "cannot read root/etc/shadow"
#define NO_GROUP "cannot read root/etc/group"

/* "|" stands for a newline, "~" for a NUL byte. */
static void put(const char *path, const char *text)
{
	FILE *f;

	remove(path);
	if (text == loop)
		ck_assert_int_eq(symlink(strrchr(path, '/') + 1, path), 0);
	else if (text == folder)
		ck_assert_int_eq(mkdir(path, 0755), 0);
	if (text == loop || text == folder || !text)
		return;
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	for (; *text; text++)
		putc(*text == '|' ? '\n' : *text == '~' ? '\0' : *text, f);
	ck_assert_int_eq(fclose(f), 0);
}

/* ---- users ---- */
#define PASSWD "#ann:|bob:x:2:2|ann:x:1:7:|ann:x:5:5|"
#define SHADOW "bob:!:1::::::|ann:$1$s$h:100:1:2:3:4:5:|ann:x:1::::::|"
#define NEITHER PAM_AUTHINFO_UNAVAIL
#define AT_2 "root/etc/shadow:2: "
#define TWICE "the line begins with a blank, and no newline ends it"
#define IGNORED "the C library ignores the line: "
#define NO_ID IGNORED "the user ID or the group ID is no number"
#define NO_LINE IGNORED "a field is no number, or there are not 5 or 8 to 9 " \
	"fields"

static const struct {
	const char *passwd, *shadow;
	int code;
	const char *damage;
} users[] = {
	{ PASSWD, SHADOW, PAM_SUCCESS, "" },
	{ " ann:x:1:7|", "ann:$1$s$h:100:1:2:3:4:5:", PAM_SUCCESS, "" },
	{ " ann:x:1:7", SHADOW, PAM_USER_UNKNOWN,
	  "root/etc/passwd:1: " TWICE },
	{ "ann:x:1|ann:x:1:7", SHADOW, PAM_SUCCESS, "" },
	{ "ann:x:1:7:~", SHADOW, PAM_SUCCESS, "" },
	{ ABSENT, SHADOW, NEITHER, NO_PASSWD NO_FILE },
	{ loop, SHADOW, NEITHER, NO_PASSWD LOOPS },
	{ folder, SHADOW, NEITHER, NO_PASSWD IS_FOLDER },
	{ PASSWD, ABSENT, NEITHER, NO_SHADOW NO_FILE },
	{ PASSWD, loop, NEITHER, NO_SHADOW LOOPS },
	{ PASSWD, folder, NEITHER, NO_SHADOW IS_FOLDER },
	{ "", SHADOW, PAM_USER_UNKNOWN, "" },
	{ "ann:$1$s$h:1:7", SHADOW, PAM_USER_UNKNOWN, "" },
	{ "ann:x:1", SHADOW, PAM_USER_UNKNOWN,
	  "root/etc/passwd:1: " NO_ID },
	{ PASSWD, "", NEITHER, "" },
	{ PASSWD, " ann:$1$s$h:100:1:2:3:4:5:|", PAM_SUCCESS, "" },
	{ PASSWD, "| ann:$1$s$h:100:1:2:3:4:5:", NEITHER, AT_2 TWICE },
	{ PASSWD, "| ann:$1$s$h:100:1:2:3:4:5:~|", NEITHER, AT_2 TWICE },
	{ PASSWD, "|ann:$1$s~$h:100:1:2:3:4:5:", NEITHER, AT_2 NO_LINE },
	{ PASSWD, "|ann:$1$s$h:100:1:2:3:4:5:~x", PAM_SUCCESS, "" },
	{ PASSWD, "|ann:$1$s$h:100:1:2:3:4", NEITHER, AT_2 NO_LINE },
	{ PASSWD, "|ann:$1$s$h:x:1:2:3:4:5:", NEITHER, AT_2 NO_LINE },
	{ PASSWD, "|ann:$1$s$h:100:1:2:3:4:5x:", NEITHER, AT_2 NO_LINE },
	{ PASSWD, "ann:!:x:1:2:3:4:5:|ann:$1$s$h:100:1:2:3:4:5:", PAM_SUCCESS,
	  "" },
	{ PASSWD, "ann:$1$s$h:100:000000000000000000000001:2:3:4:5:",
	  PAM_SUCCESS, "" },
};

START_TEST(looks_users_up)
{
	struct entry e;

	ROW(users[_i].passwd);
	put(PATH_PASSWD, users[_i].passwd);
	put(PATH_SHADOW, users[_i].shadow);
	ck_assert_int_eq(entry_find("ann", &e), users[_i].code);
	ck_assert_str_eq(e.damage ? e.damage : "", users[_i].damage);
	if (users[_i].code != PAM_SUCCESS) {
		ck_assert_str_eq(e.hash, "");
		ck_assert_ptr_null(e.stored.method);
		return;
	}
	ck_assert(e.uid == 1 && e.gid == 7);
	ck_assert_str_eq(e.hash, "$1$s$h");
	ck_assert_str_eq(e.stored.method->name, "md5crypt");
	ck_assert(e.aging.lstchg == 100 && e.aging.min == 1 &&
		  e.aging.max == 2 && e.aging.inact == 4 &&
		  e.aging.expire == 5);
}
END_TEST

/* The longest hash that fits, and one byte more. */
START_TEST(hashes_have_a_limit)
{
	char hash[HASH_BYTES + 1], line[HASH_BYTES + 32];
	struct entry e;

	ROW(NULL);
	memset(hash, 'x', sizeof(hash));
	hash[HASH_BYTES - 1 + _i] = '\0';
	snprintf(line, sizeof(line), "ann:%s:1::::::", hash);
	put(PATH_PASSWD, PASSWD);
	put(PATH_SHADOW, line);
	ck_assert_int_eq(entry_find("ann", &e), _i ? NEITHER : PAM_SUCCESS);
	ck_assert_str_eq(e.hash, _i ? "" : hash);
	ck_assert(!e.damage == !_i);
}
END_TEST

#define X64 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

START_TEST(no_name_is_looked_for)
{
	static const char *const names[] = {
		"", "+", "+ann", "-ann", "a:x:1:7", "a\nb", X64 X64 X64 X64
	};
	struct passwd_user user;

	ROW(names[_i]);
	put(PATH_PASSWD, folder);
	ck_assert_int_eq(passwd_find(names[_i], &user), PAM_USER_UNKNOWN);
	ck_assert_int_eq(passwd_find(&(X64 X64 X64 X64)[1], &user),
			 PAM_SYSTEM_ERR);
}
END_TEST

START_TEST(names_have_their_ids)
{
	put(PATH_PASSWD, "root:x:0:0|" PASSWD "carl::3:3|dora:x:|");
	ck_assert(passwd_is_of("root", 0) && passwd_is_of("ann", 1));
	ck_assert(passwd_is_of("carl", 3) && !passwd_is_of("ann", 0));
	ck_assert(!passwd_is_of("erik", 0) && !passwd_is_of("dora", 0));
}
END_TEST

/* ---- groups ---- */
#define MEMBERS "trial:x:77:bob,\tann ,carl|"
#define NOT_IN "not in rehash_group"

static const struct {
	const char *file, *user;
	gid_t gid;
	const char *lacks;	/* "": the user is in the group */
} groups[] = {
	{ MEMBERS, "bob", 1, "" },
	{ MEMBERS, "ann ", 1, "" },
	{ MEMBERS, "carl", 1, "" },
	{ MEMBERS, "bo", 1, NOT_IN },
	{ MEMBERS, "dora", 77, "" },
	{ MEMBERS, "dora", 78, NOT_IN },
	{ "trials:x:1:ann|", "ann", 1, NOT_IN },
	{ "trials:x:1:ann|", "ann", 0, NOT_IN },
	{ "trial:x:1|trial:x:2:ann|", "ann", 9, NOT_IN },
	{ "trial:x:|trial:x:2:ann|", "ann", 9, "" },
	{ "trial:x:1:,, |", "", 9, NOT_IN },
	{ "trial:x:1|trial:x:2:ann|", "bob", 1, "" },
	{ "trial:x:y:ann|", "ann", 1,
	  "root/etc/group:1: " IGNORED "the group ID is no number" },
	{ "trial:x:1:ann~,bob|", "ann", 9, "" },
	{ "trial:x:1:ann~,bob|", "bob", 9, NOT_IN },
	{ " trial:x:1:ann|", "ann", 9, "" },
	{ " trial:x:1:ann", "ann", 9, "root/etc/group:1: " TWICE },
	{ ABSENT, "ann", 1, NO_GROUP NO_FILE },
	{ loop, "ann", 1, NO_GROUP LOOPS },
	{ folder, "ann", 1, NO_GROUP IS_FOLDER },
};

START_TEST(reads_groups)
{
	const bool fails = strstr(groups[_i].lacks, "cannot") != NULL;
	const char *lacks;
	struct group g;

	ROW(groups[_i].file);
	put(PATH_GROUP, groups[_i].file);
	ck_assert_int_eq(group_read(&g, "trial", NULL), fails ? -1 : 0);
	lacks = group_lacks(&g, groups[_i].user, groups[_i].gid);
	ck_assert_str_eq(lacks ? lacks : "", groups[_i].lacks);
	group_free(&g);
}
END_TEST

/* Reads a group for one user, or the empty name of no group. */
START_TEST(keeps_what_was_asked_for)
{
	struct group g;

	put(PATH_GROUP, MEMBERS);
	ck_assert_int_eq(group_read(&g, "trial", "bob"), 0);
	ck_assert_ptr_null(group_lacks(&g, "bob", 1));
	ck_assert_ptr_null(group_lacks(&g, "dora", 77));
	ck_assert_ptr_nonnull(group_lacks(&g, "carl", 1));
	group_free(&g);
	ck_assert_int_eq(group_read(&g, "", NULL), 0);
	ck_assert_ptr_null(group_lacks(&g, "dora", 5));
}
END_TEST

static int memory = -1;		/* for so many copies; -1: there is no limit */

/* What copies a member of a group */
char *strndup(const char *text, size_t n)
{
	char *copy = memory == 0 ? NULL : malloc(n + 1);

	memory -= memory > 0;

	if (!copy)
		return NULL;
	copy[n] = '\0';
	return memcpy(copy, text, n);
}

START_TEST(a_group_without_memory_is_not_empty)
{
	struct group g;

	put(PATH_GROUP, MEMBERS);
	memory = _i;
	ck_assert_int_eq(group_read(&g, "trial", NULL), -1);
	memory = -1;
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_str_eq(group_lacks(&g, "bob", 1),
			 NO_GROUP ": Cannot allocate memory");
	group_free(&g);
}
END_TEST

/* ---- directories with libpam ---- */
/* P: libpam; L: the module */
static const struct {
	const char *files, *lacking;
} systems[] = {
	{ "lib/a/P lib/a/L lib/b/P", "root/usr/lib/b " },
	{ "lib/a/P lib/a/L lib/b/P lib/b/L", "" },
	{ "lib/a/P lib/b/P", "" },
	{ "lib64/P lib64/L", "" },
	{ "lib64/P lib64/L lib/P", "root/usr/lib " },
	{ "lib/a/P lib/a/L lib32/P", "root/usr/lib32 " },
};

static void note(void *arg, const char *where)
{
	strcat(strcat(arg, where), " ");
}

START_TEST(knows_where_the_module_lacks)
{
	char command[512], lacking[256] = "";

	ROW(systems[_i].files);
	snprintf(command, sizeof(command), "rm -rf root/usr/lib*; cd root/usr; "
		 "for f in %s; do mkdir -p ${f%%?}security; case $f in "
		 "*P) touch ${f%%?}libpam.so.0 ;; *) "
		 "touch ${f%%?}security/pam_lyra2.so ;; esac; done",
		 systems[_i].files);
	ck_assert_int_eq(system(command), 0);
	architectures_lacking(note, lacking);
	ck_assert_str_eq(lacking, systems[_i].lacking);
}
END_TEST

/* ---- the configuration ---- */
static char last[512];		/* line in the log */

/* Returns how many lines have been logged since the last call. */
static int logged(void)
{
	const char *text = devlog_lines(), *end;
	int n = 0;

	for (; (end = strchr(text, '\n')) != NULL; text = end + 1, n++)
		snprintf(last, sizeof(last), "%.*s", (int)(end - text), text);
	return n;
}

#define SYSTEM "method = system|"
#define OURS "method = lyra2|"
#define SHA512 "ENCRYPT_METHOD SHA512|"
#define BCRYPT "ENCRYPT_METHOD BCRYPT|"
#define UNIX "# password sufficient pam_unix.so sha512|" \
	"auth     required pam_unix.so sha512|" \
	"\tpassword\t[success=1 default=ignore] pam_unix.so obscure "

static const struct {
	const char *line, *defs, *conf;
	uint32_t rehash;
	const char *method;
	int lines;
} settings[] = {
	/* Nothing is replaced until a file names a method. */
	{ ABSENT, ABSENT, ABSENT, REHASH_LOG_ONLY, "yescrypt", 0 },
	{ ABSENT, SHA512, "", REHASH_LOG_ONLY, "sha512crypt", 0 },
	{ ABSENT, SHA512, "cost = 9|rehash = exact|", REHASH_LOG_ONLY,
	  "sha512crypt", 0 },
	{ ABSENT, SHA512, OURS, REHASH_WEAKER, "lyra2", 0 },
	/* The line of pam_unix goes before login.defs. */
	{ UNIX "yescrypt|", SHA512, "", REHASH_LOG_ONLY, "yescrypt", 0 },
	{ UNIX "yescrypt|", SHA512, SYSTEM, REHASH_WEAKER, "yescrypt", 0 },
	{ UNIX "blowfish # sha512|", SHA512, SYSTEM, REHASH_WEAKER, "bcrypt",
	  0 },
	{ UNIX "use_authtok|" UNIX "yescrypt|", SHA512, SYSTEM, REHASH_WEAKER,
	  "sha512crypt", 0 },
	{ UNIX "SHA512 xsha512|", ABSENT, SYSTEM, REHASH_WEAKER, "yescrypt",
	  0 },
	{ UNIX "sha512crypt|", ABSENT, SYSTEM, REHASH_WEAKER, "sha512crypt",
	  0 },
	{ "-password required /lib/pam_unix.so sha512|", ABSENT, SYSTEM,
	  REHASH_WEAKER, "sha512crypt", 0 },
	{ "password required pam_other.so sha512|", ABSENT, SYSTEM,
	  REHASH_WEAKER, "yescrypt", 0 },
	{ UNIX "sha512|", ABSENT, OURS, REHASH_WEAKER, "lyra2", 0 },
	{ folder, SHA512, "", REHASH_NEVER, "sha512crypt", 1 },
	{ loop, ABSENT, SYSTEM, REHASH_NEVER, "yescrypt", 1 },
	{ loop, ABSENT, OURS, REHASH_WEAKER, "lyra2", 0 },
	{ ABSENT, "", SYSTEM, REHASH_WEAKER, "yescrypt", 0 },
	{ ABSENT, "#" SHA512, SYSTEM, REHASH_WEAKER, "yescrypt", 0 },
	{ ABSENT, "\t" SHA512 "X 1|", SYSTEM, REHASH_WEAKER, "sha512crypt", 0 },
	{ ABSENT, SHA512 BCRYPT, SYSTEM, REHASH_WEAKER, "sha512crypt", 0 },
	{ ABSENT, "ENCRYPT_METHOD sha512|", SYSTEM, REHASH_WEAKER,
	  "sha512crypt", 0 },
	{ ABSENT, "ENCRYPT_METHOD LYRA2|", SYSTEM, REHASH_WEAKER, "lyra2", 0 },
	{ ABSENT, "ENCRYPT_METHOD WHIRLPOOL|", SYSTEM, REHASH_WEAKER,
	  "yescrypt", 0 },
	/* A cost that is login.defs's own would be none of bcrypt. */
	{ UNIX "blowfish|", SHA512 "SHA_CRYPT_MAX_ROUNDS 7000|", SYSTEM,
	  REHASH_WEAKER, "bcrypt", 0 },
	{ ABSENT, folder, SYSTEM, REHASH_NEVER, "yescrypt", 1 },
	{ ABSENT, loop, "", REHASH_NEVER, "yescrypt", 1 },
	{ ABSENT, loop, OURS, REHASH_WEAKER, "lyra2", 0 },
	/* After a mistake, new passwords are as without a method, too. */
	{ ABSENT, SHA512, folder, REHASH_NEVER, "sha512crypt", 1 },
	{ ABSENT, ABSENT, loop, REHASH_NEVER, "yescrypt", 1 },
	{ ABSENT, SHA512, "x|y|", REHASH_NEVER, "sha512crypt", 2 },
	{ ABSENT, SHA512, OURS "x|", REHASH_NEVER, "sha512crypt", 1 },
	{ UNIX "yescrypt|", SHA512, "method = lyra|", REHASH_NEVER, "yescrypt",
	  1 },
	{ ABSENT, loop, OURS "x|", REHASH_NEVER, "yescrypt", 2 },
};

/* said: how many lines have been logged since the last call */
static void expect(const char *method, uint32_t rehash, int said)
{
	const struct options *o = configuration();

	ck_assert_str_eq(o->policy.method->name, method);
	ck_assert_uint_eq(o->policy.rehash, rehash);
	ck_assert_int_eq(logged(), said);
}

START_TEST(reads_what_the_machine_says)
{
	ROW(settings[_i].line);
	put(PATH_UNIX_LINE, settings[_i].line);
	put(PATH_LOGIN_DEFS, settings[_i].defs);
	put(PATH_CONF, settings[_i].conf);
	expect(settings[_i].method, settings[_i].rehash, settings[_i].lines);
	expect(settings[_i].method, settings[_i].rehash, 0);
}
END_TEST

/* It is for a method that the file names, and says nothing of another. */
START_TEST(crypt_cost_is_not_of_the_system)
{
	put(PATH_UNIX_LINE, ABSENT);
	put(PATH_LOGIN_DEFS, ABSENT);
	put(PATH_CONF, SYSTEM "crypt_cost = 9|");
	expect("yescrypt", REHASH_WEAKER, 0);
	ck_assert_uint_eq(configuration()->policy.new_memory, 16 << 20);
}
END_TEST

/* pam_unix would make a hash that lyra2d does not verify. */
START_TEST(no_cost_of_the_system_is_too_high)
{
	put(PATH_UNIX_LINE, UNIX "blowfish rounds=31|");
	put(PATH_LOGIN_DEFS, ABSENT);
	put(PATH_CONF, SYSTEM);
	expect("bcrypt", REHASH_WEAKER, 0);
	ck_assert_uint_eq(configuration()->policy.crypt_cost, 16);
	put(PATH_UNIX_LINE, ABSENT);
}
END_TEST

#ifdef __GLIBC__
/* lyra2d looks at each request. */
START_TEST(looks_without_taking_memory)
{
	size_t used;
	int i;

	(void)configuration();
	used = mallinfo2().uordblks;
	for (i = 0; i < 1000; i++)
		(void)configuration();
	used = mallinfo2().uordblks - used;
	ck_assert_uint_lt(used, 1000);
}
END_TEST
#endif

/*
 * An error is logged once for each change, and does not count after it has
 * passed.
 */
START_TEST(reads_again_what_has_changed)
{
	put(PATH_UNIX_LINE, ABSENT);
	put(PATH_CONF, SYSTEM);
	put(PATH_LOGIN_DEFS, SHA512);
	expect("sha512crypt", REHASH_WEAKER, 0);
	put(PATH_LOGIN_DEFS, "|" BCRYPT);
	expect("bcrypt", REHASH_WEAKER, 0);
	put(PATH_LOGIN_DEFS, folder);
	expect("bcrypt", REHASH_NEVER, 1);
	expect("bcrypt", REHASH_NEVER, 0);
	put(PATH_LOGIN_DEFS, loop);
	expect("bcrypt", REHASH_NEVER, 1);
	put(PATH_LOGIN_DEFS, SHA512);
	expect("sha512crypt", REHASH_WEAKER, 0);
	put(PATH_UNIX_LINE, UNIX "blowfish|");
	expect("bcrypt", REHASH_WEAKER, 0);
	put(PATH_UNIX_LINE_2, UNIX "sha512|");
	expect("sha512crypt", REHASH_WEAKER, 0);
	put(PATH_UNIX_LINE_2, ABSENT);
	put(PATH_CONF, "x");
	expect("bcrypt", REHASH_NEVER, 1);
	expect("bcrypt", REHASH_NEVER, 0);
	put(PATH_CONF, OURS);
	expect("lyra2", REHASH_WEAKER, 0);
}
END_TEST

/* A program can set the time of a file's contents, not that of its change. */
START_TEST(sees_changes_that_look_old)
{
	const struct timespec moment = { 0, 50000000 };
	const struct timespec old[] = { { 1, 0 }, { 1, 0 } };
	FILE *f;

	put(PATH_UNIX_LINE, ABSENT);
	put(PATH_CONF, SYSTEM);
	put(PATH_LOGIN_DEFS, BCRYPT);
	ck_assert_int_eq(utimensat(AT_FDCWD, PATH_LOGIN_DEFS, old, 0), 0);
	expect("bcrypt", REHASH_WEAKER, 0);
	nanosleep(&moment, NULL);
	f = fopen(PATH_LOGIN_DEFS, "r+");
	ck_assert(f && fputs("ENCRYPT_METHOD SHA512", f) >= 0 &&
		  fclose(f) == 0);
	ck_assert_int_eq(utimensat(AT_FDCWD, PATH_LOGIN_DEFS, old, 0), 0);
	expect("sha512crypt", REHASH_WEAKER, 0);
}
END_TEST

static long cpus;

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
	return name == _SC_NPROCESSORS_ONLN ? cpus : __real_sysconf(name);
}

START_TEST(hashes_at_once)
{
	static const struct {
		long cpus;
		const char *conf;
		unsigned slots;
	} table[] = {
		{ -1, "", 2 }, { 1, "", 2 }, { 2, "", 2 }, { 64, "", 64 },
		{ 64, "max_concurrent = 1|", 1 },
		{ 1, "max_concurrent = 9|", 9 },
	};
	unsigned taken;

	ROW(table[_i].conf);
	cpus = table[_i].cpus;
	put(PATH_CONF, table[_i].conf);
	(void)configuration();
	for (taken = 0; taken < 100; taken++)
		ck_assert_int_eq(configuration_has_slot(taken),
				 taken < table[_i].slots);
}
END_TEST

/* Three places: the last line with a key counts, wherever it is. */
#define VENDOR "root/usr/pam_lyra2.conf"
#define PARTS "root/etc/pam_lyra2.conf.d"
#define WEAKER REHASH_WEAKER
#define EXACT OURS "rehash = exact|"
#define LEAVE OURS "rehash = leave|"
#define TYPO "|cots = 4|"
#define NEWER "cost = 12||memory = 96M|"
static const struct {
	const char *vendor, *conf, *first, *second;
	uint32_t rehash;
	const char *complaint;
} places[] = {
	{ ABSENT, ABSENT, ABSENT, ABSENT, REHASH_LOG_ONLY, "" },
	{ ABSENT, "rehash = exact|", "cost = 9|", OURS, REHASH_EXACT, "" },
	{ EXACT, ABSENT, ABSENT, ABSENT, REHASH_EXACT, "" },
	{ EXACT, "minlen = 7|", ABSENT, ABSENT, REHASH_EXACT, "" },
	{ EXACT, LEAVE, ABSENT, ABSENT, REHASH_LEAVE, "" },
	{ EXACT, LEAVE, "rehash = weaker|", ABSENT, WEAKER, "" },
	{ EXACT, ABSENT, "rehash = weaker|", LEAVE, REHASH_LEAVE, "" },
	{ ABSENT, EXACT, LEAVE, ABSENT, REHASH_LEAVE, "" },
	{ TYPO, EXACT, ABSENT, ABSENT, REHASH_NEVER,
	  VENDOR ":2: unknown key \"cots\"" },
	{ ABSENT, EXACT, TYPO, ABSENT, REHASH_NEVER,
	  PARTS "/10.conf:2: unknown key \"cots\"" },
	{ ABSENT, EXACT, ABSENT, NEWER, REHASH_NEVER,
	  PARTS "/9.conf:3: unknown key \"memory\"" },
	/* A contradiction is reported at the line that completes it. */
	{ ABSENT, "method = yescrypt|crypt_cost = 6|", "|crypt_cost = 4|",
	  "minlen = 7|", REHASH_NEVER,
	  PARTS "/10.conf:2: crypt_cost is below the default of yescrypt, 5" },
	{ "cols = 999|", ABSENT, "cost = 15|", ABSENT, REHASH_NEVER,
	  PARTS "/10.conf:1: invalid parameters for new hashes: " },
	{ folder, EXACT, ABSENT, ABSENT, REHASH_NEVER,
	  VENDOR ": not a regular file, or larger than 1 MiB" },
	{ loop, EXACT, ABSENT, ABSENT, REHASH_NEVER, VENDOR LOOPS },
	{ ABSENT, EXACT, folder, ABSENT, REHASH_NEVER,
	  PARTS "/10.conf: not a regular file, or larger than 1 MiB" },
};

static void fresh(void)
{
	if (system("rm -rf root/etc/* root/usr/* && mkdir -p " PARTS
		   " root/usr root/etc/pam.d") != 0)
		abort();
}

static void put_parts(const char *first, const char *second)
{
	put(PARTS "/10.conf", first);
	put(PARTS "/9.conf", second);
	put(PARTS "/20.conf~", TYPO);
	put(PARTS "/.hidden.conf", TYPO);
	put(PARTS "/20.conf.dpkg-new", TYPO);
}

START_TEST(a_place_that_cannot_be_listed_is_not_absent)
{
	struct rlimit limit, none;
	glob_t files;
	int fd;

	fresh();
	put_parts(EXACT, ABSENT);
	options_files(&files);
	ck_assert_str_eq(files.gl_pathv[2], PARTS "/10.conf");
	globfree(&files);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){ (rlim_t)fd, limit.rlim_max };
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	options_files(&files);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_ptr_null(files.gl_pathv);
}
END_TEST

START_TEST(reads_three_places)
{
	ROW(places[_i].vendor);
	fresh();
	put(VENDOR, places[_i].vendor);
	put(PATH_CONF, places[_i].conf);
	put_parts(places[_i].first, places[_i].second);
	ck_assert_uint_eq(configuration()->policy.rehash, places[_i].rehash);
	(void)logged();
	ck_assert_int_eq(strncmp(last, places[_i].complaint,
				 strlen(places[_i].complaint)), 0);
	ck_assert_uint_eq(last[0] != '\0', places[_i].complaint[0] != '\0');
}
END_TEST

START_TEST(sees_each_place_change)
{
	fresh();
	ck_assert_int_eq(rmdir(PARTS), 0);
	put(VENDOR, EXACT);
	expect("lyra2", REHASH_EXACT, 0);
	put(PATH_CONF, LEAVE);
	expect("lyra2", REHASH_LEAVE, 0);
	ck_assert_int_eq(mkdir(PARTS, 0755), 0);
	put(PARTS "/a.conf", "rehash = never|");
	expect("lyra2", REHASH_NEVER, 0);
	put(PARTS "/a.conf", EXACT);
	expect("lyra2", REHASH_EXACT, 0);
	ck_assert_int_eq(rename(PARTS "/a.conf", PARTS "/a"), 0);
	expect("lyra2", REHASH_LEAVE, 0);
	put(PATH_CONF, ABSENT);
	expect("lyra2", REHASH_EXACT, 0);
	put(VENDOR, ABSENT);
	expect("yescrypt", REHASH_LOG_ONLY, 0);
	/* The settings in a directory that cannot be read are unknown. */
	put(PARTS "/a", ABSENT);
	put(PARTS, loop);
	expect("yescrypt", REHASH_NEVER, 1);
	ck_assert_ptr_nonnull(strstr(last, PARTS "/*.conf" LOOPS));
	put(PARTS, ABSENT);
	expect("yescrypt", REHASH_LOG_ONLY, 0);
}
END_TEST

/* ---- large files ---- */
/* Fills the file with n lines before the end. */
static void put_large(const char *path, size_t n, const char *end)
{
	FILE *f = fopen(path, "r+");

	f = f ? f : fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	for (; n > 0; n--)
		fputs("someone:x:8:9:::::\n", f);
	fputs(end, f);
	ck_assert_int_eq(fclose(f), 0);
}

/* ---- hashes in memory ---- */
static bool looks, left;	/* in a block that has been freed */

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
	const size_t size = looks && p ? malloc_usable_size(p) : 0;

	left = left || (size && (memmem(p, size, "someone:", 8) ||
				 memmem(p, size, "$1$s$h", 6)));
	__real_free(p);
}

/* The whole buffer, wherever the reader stopped in a small or a large file */
START_TEST(wipes_what_it_read)
{
	static const size_t many[] = { 0, 1, 60, 5000 };
	struct piece line;
	struct lines l;
	size_t i;
	int end;

	ROW(NULL);
	for (end = 0; end < 2; end++) {
		put(PATH_SHADOW, "");
		put_large(PATH_SHADOW, many[_i], "ann:$1$s$h:1::::::\n");
		ck_assert_int_eq(lines_open(&l, PATH_SHADOW), 0);
		for (i = 0; i < many[_i] / 2 || end; i++)
			if (!lines_next(&l, &line))
				break;
		looks = true;
		ck_assert_int_eq(lines_close(&l), 0);
		looks = false;
		ck_assert_msg(!left, "%zu lines", many[_i]);
	}
}
END_TEST

static void start(void)
{
	char work[] = "files.XXXXXX";

	umask(022);	/* else a group or others could write the files */
	if (!mkdtemp(work) || chdir(work) < 0 ||
	    system("mkdir -p root/etc root/usr root/etc/pam.d") != 0)
		abort();
	devlog_open();
}

static void stop(void)
{
	devlog_close();
	if (system("rm -r \"$PWD\"") != 0 || chdir("..") < 0)
		abort();
}

int main(void)
{
	Suite *suite = suite_create("files");
	TCase *c = tcase_create("files");

	tcase_add_unchecked_fixture(c, start, stop);
	check_descriptors(c);
	tcase_add_loop_test(c, looks_users_up, 0, COUNT(users));
	tcase_add_loop_test(c, hashes_have_a_limit, 0, 2);
	tcase_add_loop_test(c, no_name_is_looked_for, 0, 7);
	tcase_add_test(c, names_have_their_ids);
	tcase_add_loop_test(c, reads_groups, 0, COUNT(groups));
	tcase_add_test(c, keeps_what_was_asked_for);
	tcase_add_loop_test(c, a_group_without_memory_is_not_empty, 0, 3);
	tcase_add_loop_test(c, wipes_what_it_read, 0, 4);
	tcase_add_loop_test(c, knows_where_the_module_lacks, 0,
			    COUNT(systems));
	tcase_add_loop_test(c, reads_what_the_machine_says, 0,
			    COUNT(settings));
	tcase_add_test(c, crypt_cost_is_not_of_the_system);
	tcase_add_test(c, no_cost_of_the_system_is_too_high);
#ifdef __GLIBC__
	tcase_add_test(c, looks_without_taking_memory);
#endif
	tcase_add_test(c, reads_again_what_has_changed);
	tcase_add_test(c, sees_changes_that_look_old);
	tcase_add_loop_test(c, hashes_at_once, 0, 6);
	tcase_add_test(c, a_place_that_cannot_be_listed_is_not_absent);
	tcase_add_loop_test(c, reads_three_places, 0, COUNT(places));
	tcase_add_test(c, sees_each_place_change);
	suite_add_tcase(suite, c);
	return check_main(suite);
}
