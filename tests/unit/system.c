/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the library asks of the system, and what it does when that, or a
 * kernel, lets it down: with stand-ins for getrandom(2) and the self test.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-main.h"
#include "dispatch.h"
#include "instrumented.h"
#include "matrix.h"
#include "selftest.h"

#define SETTING "$lyra2$v=30$t=1$r=8$c=2$saltsalt"
enum { MATRIX = 1 << 20 };

static enum { RANDOM, SHORT, ABSENT } source;
static int calls;
static int tests, passes = 1;

/* The library's calls come here, for it is linked statically. */
ssize_t getrandom(void *p, size_t n, unsigned flags)
{
	uint8_t *byte = p;

	(void)flags;
	if (source == ABSENT || (source == SHORT && calls++ % 2 == 0)) {
		errno = source == ABSENT ? ENOSYS : EINTR;
		return -1;
	}
	if (source == SHORT && n > 3)
		n = 3;
	memset(byte, calls, n);
	return (ssize_t)n;
}

int selftest(lyra2_core_fn *core, void *memory)
{
	(void)core;
	(void)memory;
	tests++;
	return passes;
}

/* After a signal, or with a few bytes at a time, a salt is still whole. */
START_TEST(random_bytes_in_pieces)
{
	char whole[LYRA2_MAX_STRING], pieces[LYRA2_MAX_STRING];

	ck_assert_int_eq(lyra2_gensalt(NULL, NULL, 0, whole, sizeof(whole)),
			 0);
	source = SHORT;
	ck_assert_int_eq(lyra2_gensalt(NULL, NULL, 0, pieces,
				       sizeof(pieces)), 0);
	ck_assert_uint_eq(strlen(pieces), strlen(whole));
	/* The last bytes are those of the last call. */
	ck_assert_str_ne(pieces + strlen(pieces) - 3,
			 whole + strlen(whole) - 3);
}
END_TEST

START_TEST(no_random_bytes)
{
	char out[LYRA2_MAX_STRING] = "x";

	source = ABSENT;
	ck_assert_int_eq(lyra2_gensalt(NULL, NULL, 0, out, sizeof(out)), -1);
	ck_assert_int_eq(errno, ENOSYS);
	ck_assert_str_eq(out, "");
	strcpy(out, "x");
	ck_assert_int_eq(lyra2_hash(NULL, NULL, "pw", 2, out, sizeof(out)),
			 -1);
	ck_assert_str_eq(out, "");
}
END_TEST

/* No hash comes from a kernel that computes wrong ones. */
START_TEST(self_test_fails)
{
	char out[LYRA2_MAX_STRING] = "x", key[8] = "xxxxxxx";

	passes = 0;
	ck_assert_int_eq(lyra2_kdf(NULL, NULL, "", 0, "", 0, key, 8), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_str_eq(key, "xxxxxxx");
	ck_assert_int_eq(lyra2_crypt(NULL, SETTING, "pw", 2, out,
				     sizeof(out)), -1);
	ck_assert_int_eq(errno, ENOTSUP);
	ck_assert_str_eq(out, "");
	passes = 1;
	ck_assert_int_eq(lyra2_crypt(NULL, SETTING, "pw", 2, out,
				     sizeof(out)), 0);
	ck_assert_int_eq(lyra2_verify(NULL, out, "pw", 2), 0);
	ck_assert_int_eq(tests, 3);	/* one that passes is enough */
}
END_TEST

/* Whether /proc/self/smaps has this flag for an address; -1: not said. */
static int has_flag(const void *p, const char *flag)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	unsigned long from, to, at = (unsigned long)p;
	char line[512];
	int inside = 0, has = -1;

	while (f && has < 0 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from <= at && at < to;
		else if (inside && strncmp(line, "VmFlags:", 8) == 0)
			has = strstr(line, flag) != NULL;
	}
	if (f)
		fclose(f);
	return has;
}

START_TEST(matrix_is_not_dumped)
{
	struct matrix m = { NULL, 0 };

	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	ck_assert_int_eq(has_flag(m.base, " dd"), 1);
	ck_assert_int_eq(has_flag(&calls, " dd"), 0);
	matrix_unmap(&m);
}
END_TEST

START_TEST(matrix_is_not_inherited)
{
	struct matrix m = { NULL, 0 };
	int status;
	pid_t pid;

	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	memset(m.base, 1, MATRIX);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(*(volatile uint8_t *)m.base);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	matrix_unmap(&m);
}
END_TEST

static int is_mapped(void *p)
{
	return msync(p, (size_t)sysconf(_SC_PAGESIZE), MS_ASYNC) == 0;
}

/* Growing, and not growing, keeps what is there to be found again. */
START_TEST(matrix_grows)
{
	struct matrix m = { NULL, 0 };
	void *base;

	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	ck_assert_uint_ge(m.size, MATRIX);
	base = m.base;
	ck_assert_int_eq(matrix_map(&m, MATRIX / 2), 0);
	ck_assert_ptr_eq(m.base, base);
	ck_assert_int_eq(matrix_map(&m, 8 * MATRIX), 0);
	ck_assert_uint_ge(m.size, 8 * MATRIX);
	memset(m.base, 1, m.size);
	errno = 0;
	base = m.base;
	ck_assert_int_eq(matrix_map(&m, SIZE_MAX), -1);
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_ptr_null(m.base);
	ck_assert_uint_eq(m.size, 0);
	ck_assert(INSTRUMENTED || !is_mapped(base));
	ck_assert_int_eq(matrix_map(&m, MATRIX), 0);
	ck_assert(is_mapped(m.base));
	matrix_unmap(&m);
	ck_assert_ptr_null(m.base);
	matrix_unmap(&m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("system");
	TCase *tc = tcase_create("system");

	tcase_add_test(tc, random_bytes_in_pieces);
	tcase_add_test(tc, no_random_bytes);
	tcase_add_test(tc, self_test_fails);
	/* An emulator, which has no flags, may not know the advice either. */
	if (INSTRUMENTED || has_flag(&calls, "") < 0) {
		check_skip(suite, "matrix_is_not_dumped, _inherited # SKIP "
			   "/proc/self/smaps has no flags here");
	} else {
		tcase_add_test(tc, matrix_is_not_dumped);
		tcase_add_test(tc, matrix_is_not_inherited);
	}
	tcase_add_test(tc, matrix_grows);
	suite_add_tcase(suite, tc);
	return check_main(suite);
}
