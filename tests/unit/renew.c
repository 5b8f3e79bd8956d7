/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When a service ends for its successor.  tests/pam/service.py has the end for
 * a new libcrypt.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check-main.h"
#include "devlog.h"
#include "pam/service/renew.h"
#include "src/config/paths.h"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

static bool breaks;		/* stat(2) */
static int broken;

int stat(const char *restrict path, struct stat *restrict st)
{
	if (!breaks)
		return fstatat(AT_FDCWD, path, st, 0);
	broken++;
	errno = EIO;
	return -1;
}

static void start(void)
{
	ck_assert_int_eq(system("rm -rf root && mkdir -p " PATH_RUN),
			 0);
	devlog_open();
}

static void stop(void)
{
	devlog_close();
	ck_assert_int_eq(system("rm -rf root"), 0);
}

static int64_t now(void)
{
	struct timespec t;

	ck_assert_int_eq(clock_gettime(CLOCK_BOOTTIME, &t), 0);
	return t.tv_sec;
}

/*
 * A service meets a read-only file system.  Returns true if it ends then; it
 * leaves no descriptor.
 */
static bool ends(void)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		const int next = dup(0);

		close(next);
		if (renew_due())
			_exit(2);
		renew_erofs();
		_exit(dup(0) != next ? 3 : renew_due());
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status) == 1;
}

/* Expects that it says so, or nothing. */
static void expect_line(const char *name, bool is_there)
{
	const char *line = devlog_lines();

	if (is_there)
		ck_assert_msg(strstr(line, "read-only") &&
			      devlog_priority == LOG_NOTICE, "%s: \"%s\"",
			      name, line);
	else
		ck_assert_msg(*line == '\0', "%s: \"%s\"", name, line);
}

/* What the file of the last end has, and whether the service ends */
static const struct {
	const char *name, *text;
	int64_t ago;		/* or if there is no text, such a time */
	bool ends;
} lasts[] = {
	{ "empty", "", -1, true },
	{ "now", NULL, 0, false },
	{ "almost an hour ago", NULL, 3590, false },
	{ "an hour ago", NULL, 3600, true },
	{ "a day ago", NULL, 90000, true },
	{ "of another boot, if /run is kept", NULL, -1000, true },
	{ "no number", "99999999999999999999999999999999999999", -1, true }
};

START_TEST(once_an_hour)
{
	const char *name = lasts[_i].name;
	FILE *f = fopen(PATH_RENEWED, "w");

	ROW(lasts[_i].name);
	ck_assert_ptr_nonnull(f);
	if (lasts[_i].text)
		fputs(lasts[_i].text, f);
	else
		fprintf(f, "%lld\n", (long long)(now() - lasts[_i].ago));
	fclose(f);
	ck_assert_msg(ends() == lasts[_i].ends, "%s", name);
	expect_line(name, lasts[_i].ends);
	ck_assert_msg(!ends(), "%s: the successor", name);
	expect_line(name, false);
}
END_TEST

START_TEST(without_a_file)
{
	ck_assert(ends());
	ck_assert_int_eq(unlink(PATH_RENEWED), 0);
	ck_assert_int_eq(symlink("elsewhere", PATH_RENEWED), 0);
	ck_assert(!ends());
	ck_assert_int_eq(unlink(PATH_RENEWED), 0);
	ck_assert_int_eq(mkdir(PATH_RENEWED, 0755), 0);
	ck_assert(!ends());
}
END_TEST

/* A disk that fails for a moment is no new libcrypt. */
START_TEST(unseen)
{
	ck_assert(!renew_due());
	breaks = true;
	ck_assert(!renew_due());
	ck_assert_int_gt(broken, 0);
	breaks = false;
	ck_assert(!renew_due());
	ck_assert_str_eq(devlog_lines(), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("renew");
	TCase *c = tcase_create("renew");

	check_descriptors(c);
	tcase_add_checked_fixture(c, start, stop);
	tcase_add_loop_test(c, once_an_hour, 0, COUNT(lasts));
	tcase_add_test(c, without_a_file);
	tcase_add_test(c, unseen);
	suite_add_tcase(suite, c);
	return check_apart(suite);
}
