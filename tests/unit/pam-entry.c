/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the fields that the service reads from a shadow entry: line, method,
 * cost, dates; and which password the hash accepts.
 */
#include <crypt.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <security/_pam_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check-main.h"
#include "instrumented.h"
#include "pam/protocol/request.h"
#include "pam/service/configuration.h"
#include "pam/work/verify.h"
#include "src/account/aging.h"
#include "src/account/passwd.h"
#include "src/account/shadow-line.h"
#include "src/stored/crypt3.h"
#include "src/stored/stored.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))
#define GIB (UINT64_C(1) << 30)

/* "|" stands for a newline, "~" for a NUL byte. */
static const struct {
	const char *file, *user;
	const char *hash;	/* of the line that libc sees; NULL: of none */
} lines[] = {
	{ "", "a", NULL },
	{ "a", "a", NULL },
	{ "a:", "a", NULL },
	{ "a:h:::|b:i:2:::|", "b", "i" },
	{ "a:h:::|b:i:2:::|", "a", NULL },
	{ "a:h::::|b:i:2::0", "b", "i" },
	{ "|#a:x|aa:1::::|a b:2::::|ab:3::::|a:h::::|", "a", "h" },
	{ "a:h::::|a:i::::|", "a", "h" },
	{ "a:h:x:::|a|a:i::::|", "a", "i" },
	{ " \v\ta:h::::|A:h::::|", "a", "h" },
	{ "a,b:h::::|a:i::::|", "a,b", "h" },
	{ "axb:h::::|", "a.b", NULL },
	{ "x:a:h::::|", "a", NULL },
	{ "+a:h::::|", "a", NULL },
	{ "#a:h::::|", "#a", NULL },
	{ "a~:h::::|a:i::::~x|", "a", "i" },
	{ "a:h:1:2:3:4:5:6:", "a", "h" },
	{ "a:h:1:2:3:4:5:6", "a", "h" },
	{ "a:h:1:2:3:4:5", "a", NULL },
	{ "a:h:1:2:3:4:5:6:7:", "a", NULL },
	{ "a:h:1:2:3:4:5:6: ", "a", NULL },
	{ "a:h:1:2:3:4:5:6:4294967295", "a", "h" },
	{ "a:h:1:2:3:4:5:6:4294967296", "a", NULL },
	{ "a:h:1:-1:3:4:5:6:", "a", NULL },
	{ "a:h: 1:-0:+3:4:5:6:", "a", "h" },
	{ "a:h:1:18446744073709551617:3:4:5:6:", "a", NULL },
	{ "a:h:1:-18446744073709551615:3:4:5:6:", "a", "h" },
	{ "a:h:1:-:3:4:5:6:", "a", NULL },
	{ "a:h:1:2:3:\r", "a", "h" },
	{ "a:h:1:2:3\r", "a", NULL },
};

/* Returns a copy at the end of a page that no readable page follows. */
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
	const size_t len = strlen(lines[_i].file);
	char *copy = copy_at_edge(lines[_i].file, len);
	const struct piece file = { copy, len };
	struct lines l = lines_of(&file, "file");
	struct shadow_line s;
	struct piece line;
	bool found = false;
	size_t i;

	ROW(lines[_i].file);
	for (i = 0; i < len; i++)
		copy[i] = copy[i] == '|' ? '\n' : copy[i] == '~' ? '\0' :
			copy[i];
	while (!found && lines_find(&l, lines[_i].user, &line))
		found = !shadow_read(&l, &line, &s);
	ck_assert(found == (lines[_i].hash != NULL));
	if (found)
		ck_assert(lines_same(&s.hash, lines[_i].hash));
}
END_TEST

#define NO_ID "the C library ignores the line: the user ID or the group ID " \
	"is no number"

static const struct passwd_case {
	const char *line, *odd;
	uid_t uid;
	bool shadowed;
} passwd_lines[] = {
	{ "a:x:1:2::/:", NULL, 1, true },
	{ "a:x:4294967295:2", NULL, 4294967295, true },
	{ "a:*NP*:1:2", NULL, 1, true },
	{ "a:##a:1:2", NULL, 1, true },
	{ "a:##:1:2", NULL, 1, false },
	{ "a:##ab:1:2", NULL, 1, false },
	{ "a::1:2", NULL, 1, false },
	{ " a:x:01:2|", NULL, 1, true },
	{ "a:x: +1:2", NULL, 1, true },
	{ "", NO_ID, 0, false },
	{ "#a:x:1:2", NO_ID, 0, false },
	{ ":x:1:2", NO_ID, 0, false },
	{ "a", NO_ID, 0, false },
	{ "a:x:1", NO_ID, 1, false },
	{ "a:x:4294967296:2", NO_ID, 0, false },
	{ "a:x:1 :2", NO_ID, 0, false },
	{ "a:x:1:", NO_ID, 1, false },
};

START_TEST(reads_lines_of_passwd)
{
	const struct passwd_case *c = &passwd_lines[_i];
	const size_t len = strlen(c->line);
	char *copy = copy_at_edge(c->line, len);
	const struct piece file = { copy, len };
	struct lines l = lines_of(&file, "file");
	struct piece line = { "", 0 };
	struct passwd_line p;
	const char *odd;

	ROW(passwd_lines[_i].line);
	if (len > 0 && copy[len - 1] == '|')
		copy[len - 1] = '\n';
	(void)lines_next(&l, &line);
	odd = passwd_read(&l, &line, &p);
	ck_assert_str_eq(odd ? odd : "", c->odd ? c->odd : "");
	ck_assert_uint_eq(p.uid, c->uid);
	ck_assert(p.shadowed == c->shadowed);
}
END_TEST

/*
 * A line of NUL bytes: one byte shorter than the limit, equal, one byte longer
 */
START_TEST(lines_have_a_limit)
{
	const size_t most = LINES_MAX, len = most + (size_t)_i - 1;
	struct piece line;
	struct lines l;
	int fd = memfd_create("lines", 0);

	ck_assert_int_eq(pwrite(fd, "\na:b\n", 5, (off_t)len), 5);
	ck_assert_int_eq(lines_take(&l, fd, "file"), 0);
	ck_assert(lines_next(&l, &line));
	ck_assert(l.cut == (len >= most));
	ck_assert_str_eq(l.odd ? l.odd : "", l.cut ?
			 "the line is longer than 16 MiB" : "");
	ck_assert_uint_eq(line.len, 0);
	ck_assert(lines_next(&l, &line) && lines_same(&line, "a:b"));
	ck_assert_ptr_null(l.odd);
	ck_assert_uint_eq(l.number, 2);
	ck_assert(!lines_next(&l, &line) && !lines_next(&l, &line));
	ck_assert_int_eq(lines_close(&l), 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
}
END_TEST

/* The same of a file that grows after it was opened with an odd size. */
START_TEST(growing_lines_have_a_limit)
{
	struct piece line;
	struct lines l;
	int fd = memfd_create("lines", 0);

	ck_assert_int_eq(ftruncate(fd, 500), 0);
	ck_assert_int_eq(lines_take(&l, fd, "file"), 0);
	ck_assert_int_eq(ftruncate(fd, 2 * LINES_MAX), 0);
	ck_assert(lines_next(&l, &line));
	ck_assert(l.cut && l.size <= LINES_MAX);
	ck_assert_int_eq(lines_close(&l), 0);
}
END_TEST

/* Nor does what had to grow for a long line leave a copy in freed memory. */
START_TEST(lines_leave_no_hash)
{
	static const char hash[] = "ann:$1$saltsalt$0123456789abcdef";
	enum { FIRST = 65536 };		/* what lines.c begins with */
	struct piece line;
	struct lines l;
	char *again;
	int fd = memfd_create("lines", 0);

	ck_assert_int_eq(pwrite(fd, hash, strlen(hash), _i ? FIRST / 2 : 0),
			 (ssize_t)strlen(hash));
	ck_assert_int_eq(ftruncate(fd, _i ? FIRST + 9 : FIRST - 9), 0);
	ck_assert_int_eq(lines_take(&l, fd, "file"), 0);
	ck_assert(lines_next(&l, &line));
	ck_assert_ptr_nonnull(memmem(l.buf, l.end, hash, strlen(hash)));
	ck_assert_int_eq(lines_close(&l), 0);
	again = malloc(FIRST);
	ck_assert_ptr_nonnull(again);
	ck_assert_ptr_null(memmem(again, FIRST, "0123456789abcdef", 16));
	free(again);
}
END_TEST

START_TEST(an_error_is_no_end)
{
	struct piece line;
	struct lines l;

	ck_assert_int_eq(lines_open(&l, "/proc/self/mem"), 0);
	ck_assert_int_eq(fcntl(l.fd, F_GETFD), FD_CLOEXEC);
	ck_assert(!lines_next(&l, &line) && !lines_next(&l, &line));
	ck_assert_int_eq(lines_close(&l), -1);
	ck_assert_int_eq(errno, EIO);
}
END_TEST

/* EMFILE makes rehash "never", but only while it lasts. */
START_TEST(errors_that_pass_are_forgotten)
{
	struct rlimit limit, none;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = limit;
	none.rlim_cur = 0;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_uint_eq(configuration()->policy.rehash, REHASH_NEVER);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_uint_ne(configuration()->policy.rehash, REHASH_NEVER);
}
END_TEST

#define LYRA2_HASH "$lyra2$t2n4c16p2$AAAAAAAAAAAAAAAAAAAAAA$" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

START_TEST(makes_no_setting_that_costs_too_much)
{
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	ck_assert_int_eq(crypt3_setting("$2b$", 5, setting, sizeof(setting)),
			 0);
	ck_assert_int_eq(crypt3_setting("$2b$", 31, setting, sizeof(setting)),
			 -1);
	ck_assert_int_eq(crypt3_setting("$zz$", 0, setting, sizeof(setting)),
			 -1);
	ck_assert_int_eq(crypt3_setting("$1$", 0, setting, sizeof(setting)),
			 -1);
}
END_TEST

/* "$5$salt$" and 43 characters, and a NUL */
START_TEST(hash_has_to_fit)
{
	char hash[53];

	memset(hash, 'x', sizeof(hash));
	ck_assert_int_eq(crypt3_hash("$5$salt$", "secret", hash, 51), -1);
	ck_assert_int_eq(hash[0], 'x');
	ck_assert_int_eq(crypt3_hash("$5$salt$", "secret", hash, 52), 0);
	ck_assert_uint_eq(strlen(hash), 51);
	ck_assert_int_eq(hash[52], 'x');
}
END_TEST

/* malloc(3) returns the block that crypt_rn(3) used. */
START_TEST(leaves_no_hash)
{
	const size_t size = sizeof(struct crypt_data);
	char hash[CRYPT_OUTPUT_SIZE], *again;

	ck_assert_int_eq(crypt3_hash("$5$salt$", "secret", hash, sizeof(hash)),
			 0);
	again = malloc(size);
	ck_assert_ptr_nonnull(again);
	ck_assert_ptr_null(memmem(again, size, hash + 30, 20));
	free(again);
}
END_TEST

/* A hash of an empty password is one; nullok lets it in. */
START_TEST(empty_passwords_need_nullok)
{
	char hash[CRYPT_OUTPUT_SIZE];
	struct stored stored;

	ck_assert_int_eq(crypt3_hash("$5$salt$", _i ? "x" : "", hash,
				     sizeof(hash)), 0);
	stored_read(&stored, hash);
	ck_assert_int_eq(verify_password(&stored, "", true, GIB).code,
			 _i ? PAM_AUTH_ERR : PAM_SUCCESS);
	ck_assert_int_eq(verify_password(&stored, "", false, GIB).code,
			 PAM_AUTH_ERR);
	stored_read(&stored, "");
	ck_assert_int_eq(verify_password(&stored, "", true, GIB).code,
			 PAM_SUCCESS);
	ck_assert_int_eq(verify_password(&stored, "", false, GIB).code,
			 PAM_AUTH_ERR);
}
END_TEST

static char stack[1 << 18];

static void *guess(void *field)
{
	struct stored stored;

	stored_read(&stored, field);
	ck_assert_int_eq(verify_password(&stored, "wrong", false, GIB).code,
			 PAM_AUTH_ERR);
	return NULL;
}

/* The hash of a wrong password may differ from that of another user's. */
START_TEST(leaves_no_hash_of_a_guess)
{
	char hash[CRYPT_OUTPUT_SIZE], wrong[CRYPT_OUTPUT_SIZE];
	pthread_attr_t attr;
	pthread_t thread;
	size_t i;

	ck_assert_int_eq(crypt3_hash("$5$salt$", "secret", hash, sizeof(hash)),
			 0);
	ck_assert_int_eq(crypt3_hash("$5$salt$", "wrong", wrong,
				     sizeof(wrong)), 0);
	pthread_attr_init(&attr);
	ck_assert_int_eq(pthread_attr_setstack(&attr, stack, sizeof(stack)),
			 0);
	ck_assert_int_eq(pthread_create(&thread, &attr, guess, hash), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	for (i = strlen("$5$salt$"); i < strlen(wrong) - 8; i++)
		ck_assert_ptr_null(memmem(stack, sizeof(stack), wrong + i, 8));
}
END_TEST

static void *receive(void *fd)
{
	static struct secret secret;

	ck_assert_int_eq(secret_recv(*(int *)fd, &secret), -1);
	return NULL;
}

/* Nor does a packet that is longer than any of lyra2's own. */
START_TEST(leaves_no_long_password)
{
	char packet[4096];
	pthread_attr_t attr;
	pthread_t thread;
	int fd[2];

	memset(packet, 's', sizeof(packet));
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	ck_assert_int_eq(send(fd[0], packet, sizeof(packet), 0), 4096);
	pthread_attr_init(&attr);
	ck_assert_int_eq(pthread_attr_setstack(&attr, stack, sizeof(stack)),
			 0);
	ck_assert_int_eq(pthread_create(&thread, &attr, receive, &fd[1]), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	close(fd[0]);
	close(fd[1]);
	ck_assert_ptr_null(memmem(stack, sizeof(stack), packet, 16));
}
END_TEST

/*
 * A password that is too long is wrong, also for a hash of its first bytes; and
 * its hash takes as long as that of one that fits.
 */
START_TEST(long_passwords_take_a_hash)
{
	static const char *const settings[] = {
		"$lyra2$t2n8c12p1$saltsalt", "$6$rounds=20000$saltsalt$"
	};
	char hash[CRYPT_OUTPUT_SIZE], password[LYRA2_MAX_PASSWORD + 2];
	struct verify_result fits, longer;
	struct stored stored;

	memset(password, 'p', sizeof(password));
	password[LYRA2_MAX_PASSWORD] = '\0';
	if (_i)
		ck_assert_int_eq(crypt3_hash(settings[1], password, hash,
					     sizeof(hash)), 0);
	else
		ck_assert_int_eq(lyra2_crypt(NULL, settings[0], password,
					     strlen(password), hash,
					     sizeof(hash)), 0);
	stored_read(&stored, hash);
	fits = verify_password(&stored, password, false, GIB);
	ck_assert_int_eq(fits.code, PAM_SUCCESS);
	password[LYRA2_MAX_PASSWORD] = 'p';
	password[LYRA2_MAX_PASSWORD + 1] = '\0';
	longer = verify_password(&stored, password, false, GIB);
	ck_assert_int_eq(longer.code, PAM_AUTH_ERR);
	ck_assert_ptr_null(longer.why);
	ck_assert_uint_gt(longer.cpu_ns, fits.cpu_ns / 8);
}
END_TEST

START_TEST(says_why_crypt_fails)
{
	struct verify_result v;
	struct stored stored;

	stored_read(&stored, "$2b$05$abc");
	v = verify_password(&stored, "secret", false, GIB);
	ck_assert_int_eq(v.code, PAM_AUTH_ERR);
	ck_assert_str_eq(v.why, "crypt(3) cannot compute it");
}
END_TEST

static const char *const short_hashes[] = {
	"$y$", "$gy$", "$7$", "$7$C", "$7$C6...", "$2b$", "$2x$", "$2", "$6$",
	"$6$rounds=", "$5$", "$sha1$", "$md5", "$md5,", "$1$", "$3$", "_", "$",
	"$lyra2$", "$bashlyra2$", ""
};

/* Bytes behind the end are not read: check-sanitize notices, or a NULL. */
START_TEST(reads_what_ends_early)
{
	char *hash = strdup(short_hashes[_i]);
	struct setting setting = { 0 };
	const struct method *m;
	struct stored s;

	ROW(short_hashes[_i]);
	ck_assert_ptr_nonnull(hash);
	stored_read(&s, hash);
	m = method_of(hash, true);
	if (m && m->read)
		m->read(hash, &setting);
	free(hash);
}
END_TEST

#define TEN "0123456789"
#define LONG_FIELD "x=" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

START_TEST(knows_lyra2)
{
	struct stored s;
	char name[128];

	stored_read(&s, LYRA2_HASH);
	ck_assert(stored_is_lyra2(&s));
	stored_describe(&s, name, sizeof(name));
	ck_assert_str_eq(name, "lyra2(t2n4c16p2)");
	ck_assert(s.memory == 16 * 16 * 96);
	/* From a malformed hash, only fields that fit whole are taken. */
	stored_read(&s, "$lyra2$" LONG_FIELD "$salt");
	stored_describe(&s, name, sizeof(name));
	ck_assert_str_eq(name, "lyra2");
	stored_params(&s, name, sizeof(name));
	ck_assert_str_eq(name, "");
}
END_TEST

static const char *const no_hashes[] = {
	"", "!", "!!", "*", "x", "ab", "*0", "!$6$salt$hash", "$", "$lyra",
	"$unknown$hash", "a:b", "abcdefghijkl",
	"_J9..rasmBYk8r9AiWNc", "_J9..rasmBYk8",
};

START_TEST(knows_what_is_no_hash)
{
	struct stored s;

	ROW(no_hashes[_i]);
	stored_read(&s, no_hashes[_i]);
	ck_assert_ptr_null(s.method);
}
END_TEST

static const char *const excessive[] = {
	"$y$jHT$saltsaltsalt$", "$y$jzT$salt$", "$y$j9z....$salt$",
	"$y$j9T0zz$salt$", "$y$", "$y$j", "$y$j9", "$y$j9T!", "$gy$jHT$salt$",
	"$7$HU..../....salt$", "$7$C6..../", "$7$z6..../....salt$",
	"$7$Czzzzz/....salt$", "$7$C6....zzzzzsalt$",
	"$2b$10", "$2b$17$abcdefghijklmnopqrstuu",
	"$2b$31$abcdefghijklmnopqrstuu",
	"$6$rounds=10000000$salt$", "$5$rounds=999999999$salt$",
	"$6$rounds=99999999999999999999$salt$", "$sha1$4294967295$salt$",
	"$md5,rounds=4294967295$salt$",
	"$lyra2$t2n15c4096p2$AAAAAAAAAAAAAAAAAAAAAA$",
	"$lyra2$t4294967295n4c16p1$AAAAAAAAAAAAAAAAAAAAAA$",
	"$lyra2$", "$lyra2$t2n4$AAAAAAAAAAAAAAAAAAAAAA$", "$bashlyra2$x",
	"$lyra2$v=30$t=2$r=4096$c=256$p=4$AAAAAAAAAAAAAAAAAAAAAA$",
};

START_TEST(refuses_excess)
{
	struct stored s;

	ROW(excessive[_i]);
	stored_read(&s, excessive[_i]);
	/* A hash that libcrypt never accepts is refused even earlier. */
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

/*
 * yescrypt with 2^12 blocks and r = 32 takes 16 MiB: see crypt(5), cost factor
 * 5.  The others: numbers whose shift or product has more than 64 bits, and a
 * ROM.
 */
START_TEST(reads_memory)
{
	ck_assert_uint_eq(memory_of("$y$j9T$salt$"), 16 << 20);
	ck_assert_uint_eq(memory_of("$7$CU..../....salt$"), 64 << 20);
	ck_assert(memory_of("$y$jkD5$salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$y$j751$salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$y$j75$salt$") < COST_TOO_HIGH);
	ck_assert(memory_of("$7$c..../" "/....salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$7$C/...." "/....salt$") < COST_TOO_HIGH);
	/* 2^18 * 2^7 * 2^40 bytes, which is 2^65; the largest p */
	ck_assert(memory_of("$7$c.../." "/....salt$") == COST_TOO_HIGH);
	ck_assert(memory_of("$7$./...." "zzzzzsalt$") == COST_TOO_HIGH);
	/* The most rounds that pam_unix(8) and this library make */
	ck_assert(memory_of("$6$rounds=9999999$salt$") < COST_TOO_HIGH);
	ck_assert(memory_of("$2b$16$" "abcdefghijklmnopqrstuu") <
		  COST_TOO_HIGH);
	/* p = 2 counts as twice the memory */
	ck_assert_uint_eq(memory_of("$7$C6...." "0....salt$"), 32 << 20);
	ck_assert_uint_eq(memory_of("$7$C6...." "/....salt$"), 16 << 20);
	/* and so do t = 1, and t = 2 as three times */
	ck_assert_uint_eq(memory_of("$y$j9T/.$salt$"), 32 << 20);
	ck_assert_uint_eq(memory_of("$y$j9T//$salt$"), 48 << 20);
}
END_TEST

/* The result for the password "secret" */
static int verdict(const char *hash, uint64_t max_memory)
{
	struct stored s;

	stored_read(&s, hash);
	return verify_password(&s, "secret", false, max_memory).code;
}

static const struct {
	const char *setting, *name;
	size_t bytes;		/* longest password */
} methods[] = {
	{ "$lyra2$t2n4c12p1$saltsalt", NULL, 0 },
	{ "$bashlyra2$t2n4c12p2$saltsalt", NULL, 0 },
	{ "sa", "descrypt", 8 },
	{ "$1$salt$", "md5crypt", 0 },
	{ "$3$", "nt", 0 },
	{ "$md5,rounds=1$salt$$", "sunmd5", 0 },
	{ "$sha1$20$salt$", "sha1crypt", 0 },
	{ "$2b$04$abcdefghijklmnopqrstuu", "bcrypt", 72 },
	{ "$2a$04$abcdefghijklmnopqrstuu", "bcrypt", 72 },
	{ "$5$rounds=1000$salt$", "sha256crypt", 0 },
	{ "$6$rounds=1000$salt$", "sha512crypt", 0 },
	{ "$7$4/..../....salt$", "scrypt", 0 },
	{ "$y$j/.$saltsalt$", "yescrypt", 0 },
	{ "$gy$j/.$saltsalt$", "gost-yescrypt", 0 },
};

static void check_method(const char *hash, int i)
{
	struct stored s;
	char name[128];

	stored_read(&s, hash);
	ck_assert(!stored_is_lyra2(&s) && s.in_crypt && s.memory <= GIB);
	ck_assert_uint_eq(s.method->bytes, methods[i].bytes);
	ck_assert(s.method->seven_bits == (hash[0] != '$'));
	stored_describe(&s, name, sizeof(name));
	ck_assert_str_eq(name, methods[i].name);
}

/*
 * Hashes that libcrypt makes are known, and not too costly.  With any letter in
 * the other case, or any other character changed, a hash accepts nothing.
 */
START_TEST(knows_methods_and_no_near_miss)
{
	static struct crypt_data data;
	const char *setting = methods[_i].setting;
	char *hash = data.output, *p;

	ROW(methods[_i].name);
	if (!methods[_i].name)
		ck_assert_int_eq(lyra2_crypt(NULL, setting, "secret", 6, hash,
					     sizeof(data.output)), 0);
	else if (!crypt_rn("secret", setting, &data, (int)sizeof(data))) {
		printf("# this libcrypt does not compute %s\n", setting);
		return;
	}
	hash = strdup(hash);
	if (methods[_i].name)
		check_method(hash, _i);
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

#define SALT22 "AAAAAAAAAAAAAAAAAAAAA."
#define SALT43 "................./////////////////........."

static const char *const asked[] = {
	"$y$j75$", "$y$j75$$", "$y$j75$./", "$y$j/.$" SALT43,
	"$y$j/.$" SALT43 SALT43, "$gy$j75$", "$gy$j/.$" SALT43, "$sm3y$j75$",
	"$7$4/..../....", "$7$4/..../....$", "$7$4/..../...." SALT43,
	"$7$4/..../....a$b", "$2a$04$" SALT22, "$2b$04$" SALT22,
	"$2x$04$" SALT22, "$2y$04$" SALT22, "$2y$04$abcdefghijklmnopqrstuv",
	"$6$", "$6$$", "$6$s",
	"$6$rounds=1000$", "$6$rounds=1000$" SALT22, "$6$rounds=1$s$",
	"$6$a,b-c=#@~", "$6$rounds=x$s", "$5$", "$5$$x", "$5$rounds=1000$s",
	"$5$" SALT22, "$sm3$rounds=1000$s", "$sha1$1$a", "$sha1$4$" SALT22 "$",
	"$sha1$1$" SALT22 SALT43, "$md5$saltsalt$", "$md5$saltsalt$$",
	"$md5,rounds=1$saltsalt", "$md5,rounds=1$a$$x", "$1$", "$1$$", "$1$s$",
	"$1$saltsaltsalt", "$1$a,b-", "$3$", "$3$$", "$3$$x",
	"sa", "..", "zz", "sa" SALT22, "sa" SALT43,
};
/* Makes a password that is as long as the hash without prefix says. */
static void password_for(const char *hash, char *out)
{
	const size_t len = hash[0] != '$' && strlen(hash) > 13 ?
		(strlen(hash) - 2) / 11 * 8 : 6;

	memset(out, 'p', len);
	out[len] = '\0';
}

/* Of a method that is not in our table, nothing is known. */
static bool is_whole(const char *hash)
{
	struct stored s;

	stored_read(&s, hash);
	return stored_is_whole(&s) && s.method->family != FAMILY_UNKNOWN;
}

/*
 * What is called whole is as long as what crypt(3) makes of it, but for what
 * pam_unix(8) cuts off behind a hash that has no prefix.
 */
static void check_whole(const char *text, struct crypt_data *data)
{
	char password[CRYPT_MAX_PASSPHRASE_SIZE], hash[2 * CRYPT_OUTPUT_SIZE];

	if (!is_whole(text))
		return;
	snprintf(hash, sizeof(hash), "%.*s", (int)(
			 text[0] == '$' ? strlen(text) : strcspn(text, "$,")),
		 text);
	password_for(hash, password);
	ck_assert_msg(crypt_rn(password, hash, data, (int)sizeof(*data)), "%s",
		      hash);
	ck_assert_msg(strlen(data->output) == strlen(hash), "%s", hash);
}

/* Each part of a hash, with each way to go on */
static void check_parts(const char *hash, struct crypt_data *data)
{
	static const char *const more[] = {
		"", ".", "z", "$", "$.", ",", "..........."
	};
	char part[2 * CRYPT_OUTPUT_SIZE];
	size_t len, i;

	for (len = 0; len <= strlen(hash); len++)
		for (i = 0; i < (size_t)COUNT(more); i++) {
			snprintf(part, sizeof(part), "%.*s%s", (int)len, hash,
				 more[i]);
			check_whole(part, data);
		}
}

START_TEST(knows_whole_hashes)
{
	static struct crypt_data data;
	char hash[CRYPT_OUTPUT_SIZE], password[CRYPT_MAX_PASSPHRASE_SIZE];

	ROW(asked[_i]);
	password_for(asked[_i], password);
	for (int i = 0; i < 2; i++, password[0] = '\0') {
		if (!crypt_rn(password, asked[_i], &data, (int)sizeof(data)))
			return;
		memcpy(hash, data.output, sizeof(hash));
		ck_assert_msg(is_whole(hash), "%s", hash);
		check_parts(hash, &data);
	}
}
END_TEST

/* Of a password of 16 times 8 bytes; pam_unix(8) uses no more. */
START_TEST(knows_the_longest_bigcrypt)
{
	char hash[2 + 17 * 11 + 1];

	memset(hash, 'a', sizeof(hash));
	hash[2 + 17 * 11] = '\0';
	ck_assert(!is_whole(hash));
	hash[2 + 16 * 11] = '\0';
	ck_assert(is_whole(hash));
}
END_TEST

static const char *const prefixes[] = {
	"$y$", "$gy$", "$sm3y$", "$7$", "$2b$", "$6$", "$5$", "$sm3$", "$sha1",
	"$md5", "$1$", "$3$", ""
};

START_TEST(knows_whole_hashes_of_new_salts)
{
	static struct crypt_data data;
	char setting[CRYPT_GENSALT_OUTPUT_SIZE];

	ROW(prefixes[_i]);
	if (!crypt_gensalt_rn(prefixes[_i], 0, NULL, 0, setting,
			      (int)sizeof(setting)))
		return;
	ck_assert_ptr_nonnull(crypt_rn("secret", setting, &data,
				       (int)sizeof(data)));
	ck_assert_msg(is_whole(data.output), "%s", data.output);
}
END_TEST

#define DOTS "..........................................."

/* Hashes with 768 MiB, twice 512 MiB, and some KiB in libcrypt */
static const char *const large[] = {
	"$lyra2$t2n14c512p2$saltsalt$" DOTS, "$y$jET$saltsaltsalt$" DOTS,
	"$7$FU..../....saltsaltsalt$" DOTS, "$1$saltsalt$" DOTS
};

static void take_all_memory(void)
{
	static void *volatile taken;
	size_t n;

	for (n = 1 << 20; n >= 16; n /= 2)
		do
			taken = malloc(n);
		while (taken);
}

START_TEST(no_memory_is_no_wrong_password)
{
	struct rlimit limit, little;
	int code;

	ROW(large[_i]);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
	little = limit;
	little.rlim_cur = 256 << 20;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &little), 0);
	take_all_memory();
	code = verdict(large[_i], GIB);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_int_eq(code, PAM_AUTHINFO_UNAVAIL);
}
END_TEST

#define SAME -1

static const struct {
	struct aging a;		/* lstchg min max inact expire */
	int code;
	int older;		/* of Linux-PAM before 1.6, or SAME */
} ages[] = {
	{ { 1000, -1, -1, -1, -1 }, PAM_SUCCESS, SAME },
	{ { 1000, 0, 99999, -1, 1100 }, PAM_ACCT_EXPIRED, SAME },
	{ { 1000, 0, 99999, -1, 1101 }, PAM_SUCCESS, SAME },
	{ { 1000, 0, 99999, -1, 0 }, PAM_ACCT_EXPIRED, SAME },
	{ { 0, 0, 99999, -1, -1 }, PAM_NEW_AUTHTOK_REQD, SAME },
	{ { 0, 0, 99999, -1, 1 }, PAM_ACCT_EXPIRED, SAME },
	{ { -1, 0, 1, 1, -1 }, PAM_SUCCESS,
	  PAM_AUTHTOK_EXPIRED },
	{ { 1101, 50, 1, 1, -1 }, PAM_SUCCESS, SAME },
	{ { 1100, 1, 99999, -1, -1 }, PAM_AUTHTOK_ERR, SAME },
	{ { 1100, 0, 0, -1, -1 }, PAM_NEW_AUTHTOK_REQD,
	  PAM_SUCCESS },
	{ { 1000, 0, 100, -1, -1 }, PAM_NEW_AUTHTOK_REQD,
	  PAM_SUCCESS },
	{ { 1000, 0, 101, -1, -1 }, PAM_SUCCESS, SAME },
	{ { 1000, 0, 90, 10, -1 }, PAM_AUTHTOK_EXPIRED,
	  PAM_NEW_AUTHTOK_REQD },
	{ { 1000, 0, 90, 11, -1 }, PAM_NEW_AUTHTOK_REQD, SAME },
	{ { 1000, 0, 100, 0, -1 }, PAM_AUTHTOK_EXPIRED,
	  PAM_SUCCESS },
	{ { 1000, 101, 99999, -1, -1 }, PAM_AUTHTOK_ERR, SAME },
	{ { 1000, 100, 99999, -1, -1 }, PAM_SUCCESS, SAME },
	{ { 1000, 0, INT32_MAX, INT32_MAX, INT32_MAX }, PAM_SUCCESS, SAME },
	{ { INT32_MAX, INT32_MAX, INT32_MAX, 7, -1 }, PAM_SUCCESS, SAME },
	{ { 1, INT32_MAX, INT32_MAX, -1, INT32_MAX }, PAM_AUTHTOK_ERR, SAME },
	{ { INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN },
	  PAM_SUCCESS, PAM_ACCT_EXPIRED },
	{ { INT32_MIN, 0, INT32_MAX, INT32_MAX, -1 }, PAM_SUCCESS,
	  PAM_NEW_AUTHTOK_REQD },
};

/* The day is 1100. */
START_TEST(ages_as_pam_unix)
{
	const bool other = __LINUX_PAM_MINOR__ < 6 && ages[_i].older != SAME;

	ROW(NULL);
	ck_assert_int_eq(aging_check(&ages[_i].a, 1100),
			 other ? ages[_i].older : ages[_i].code);
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
};

START_TEST(change_is_allowed_as_by_pam_unix)
{
	ROW(NULL);
	ck_assert_int_eq(aging_change(changes[_i].code,
				      changes[_i].flags & FLAG_ROOT),
			 changes[_i].wanted);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pam-entry");
	TCase *c = tcase_create("pam-entry");

	check_descriptors(c);
	tcase_add_loop_test(c, finds_lines, 0, COUNT(lines));
	tcase_add_loop_test(c, reads_lines_of_passwd, 0, COUNT(passwd_lines));
	tcase_add_loop_test(c, lines_have_a_limit, 0, 3);
	tcase_add_test(c, growing_lines_have_a_limit);
	tcase_add_test(c, an_error_is_no_end);
	tcase_add_test(c, errors_that_pass_are_forgotten);
	tcase_add_test(c, makes_no_setting_that_costs_too_much);
	tcase_add_test(c, hash_has_to_fit);
	tcase_add_loop_test(c, empty_passwords_need_nullok, 0, 2);
	tcase_add_loop_test(c, long_passwords_take_a_hash, 0, 2);
	tcase_add_test(c, says_why_crypt_fails);
	if (!INSTRUMENTED) {
		tcase_add_test(c, leaves_no_hash);
		tcase_add_loop_test(c, lines_leave_no_hash, 0, 2);
		tcase_add_test(c, leaves_no_hash_of_a_guess);
		tcase_add_test(c, leaves_no_long_password);
	}
	tcase_add_loop_test(c, reads_what_ends_early, 0, COUNT(short_hashes));
	tcase_add_test(c, knows_lyra2);
	tcase_add_loop_test(c, knows_what_is_no_hash, 0, COUNT(no_hashes));
	tcase_add_loop_test(c, refuses_excess, 0, COUNT(excessive));
	tcase_add_test(c, reads_memory);
	tcase_add_loop_test(c, knows_whole_hashes, 0, COUNT(asked));
	tcase_add_test(c, knows_the_longest_bigcrypt);
	tcase_add_loop_test(c, knows_whole_hashes_of_new_salts, 0,
			    COUNT(prefixes));
	tcase_add_loop_test(c, knows_methods_and_no_near_miss, 0,
			    COUNT(methods));
	if (INSTRUMENTED)
		check_skip(suite, "no_memory_is_no_wrong_password # SKIP the "
			   "instrumentation needs memory of its own");
	else
		tcase_add_loop_test(c, no_memory_is_no_wrong_password, 0,
				    COUNT(large));
	tcase_add_loop_test(c, ages_as_pam_unix, 0, COUNT(ages));
	tcase_add_loop_test(c, change_is_allowed_as_by_pam_unix, 0,
			    COUNT(changes));
	suite_add_tcase(suite, c);
	return check_main(suite);
}
