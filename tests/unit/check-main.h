/* SPDX-License-Identifier: BSD-2-Clause */
/* main() of a Check program: runs one suite and prints TAP. */
#ifndef CHECK_MAIN_H
#define CHECK_MAIN_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The row of a table that a test is about is printed if the test fails. */
static const char *row_now;
static int row_number = -1;

static inline void check_print_row(void)
{
	if (row_number >= 0 || row_now)
		printf("# in row %d: \"%s\"\n", row_number,
		       row_now ? row_now : "");
	fflush(stdout);
}

#define ROW(name) (row_number = _i, row_now = (name))
#define _ck_assert_failed (check_print_row(), _ck_assert_failed)

static int check_fd;

static inline int check_lowest(void)
{
	const int fd = dup(STDERR_FILENO);

	close(fd);
	return fd;
}

static inline void check_fd_before(void)
{
	check_fd = check_lowest();
}

static inline void check_fd_after(void)
{
	ck_assert_msg(check_lowest() == check_fd, "a descriptor is left open");
}

/* Each test of the case ends with the descriptors with which it began. */
static inline void check_descriptors(TCase *c)
{
	tcase_add_checked_fixture(c, check_fd_before, check_fd_after);
}

START_TEST(nothing)
{
}
END_TEST

/* Prints that tests are skipped.  what is "NAMES # SKIP REASON", as in TAP. */
static inline void check_skip(Suite *suite, const char *what)
{
	TCase *c = tcase_create(what);

	tcase_add_test(c, nothing);
	suite_add_tcase(suite, c);
}

static inline int check_main(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	fflush(stdout);
	/* "-" is standard output. */
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Like check_main(), in a directory of its own. */
static inline int check_apart(Suite *suite)
{
	char folder[] = "check.XXXXXX", command[64];
	int rc;

	if (!mkdtemp(folder) || chdir(folder) < 0)
		return EXIT_FAILURE;
	rc = check_main(suite);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("..") < 0 || system(command) != 0 ? EXIT_FAILURE : rc;
}

#endif
