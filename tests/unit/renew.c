/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When a service ends for its successor.  tests/pam/service.py has the end for
 * a new libcrypt.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-main.h"

/* Compiled in, with another /run */
#include "pam/service/renew.c"

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

static char said[256];

void log_line(int priority, const char *format, ...)
{
	ck_assert_int_eq(priority, LOG_NOTICE);
	snprintf(said, sizeof(said), "%s", format);
}

static bool breaks;		/* stat(2) */

int stat(const char *restrict path, struct stat *restrict st)
{
	errno = EIO;
	return breaks ? -1 : fstatat(AT_FDCWD, path, st, 0);
}

static void make_folder(void)
{
	if (mkdir("root", 0755) < 0 || mkdir("root/run", 0755) < 0 ||
	    mkdir(PATH_RUN, 0755) < 0)
		abort();
}

static void remove_folder(void)
{
	if (system("rm -rf root") != 0)
		abort();
}

/* What the file of the last end has, and whether the service ends */
static const struct {
	const char *text;
	int64_t ago;		/* or if there is no text, such a time */
	bool ends;
} lasts[] = {
	{ "", -1, true },
	{ NULL, 0, false }, { NULL, 3590, false }, { NULL, 3600, true },
	{ NULL, 90000, true },
	/* after a boot, if /run is kept */
	{ NULL, -1000, true },
	{ "99999999999999999999999999999999999999", -1, true }
};

START_TEST(once_an_hour)
{
	FILE *f = fopen(PATH_RENEWED, "w");

	ck_assert_ptr_nonnull(f);
	if (lasts[_i].text)
		fputs(lasts[_i].text, f);
	else
		fprintf(f, "%lld\n", (long long)(now() - lasts[_i].ago));
	fclose(f);
	ck_assert(!renew_due());
	renew_erofs();
	ck_assert_int_eq(renew_due(), lasts[_i].ends);
	ck_assert_int_eq(strstr(said, "read-only") != NULL, lasts[_i].ends);
	/* The successor */
	due = false;
	said[0] = '\0';
	renew_erofs();
	ck_assert(!renew_due());
	ck_assert_str_eq(said, "");
	ck_assert_int_eq(unlink(PATH_RENEWED), 0);
}
END_TEST

START_TEST(without_a_file)
{
	ck_assert(!renew_due());
	renew_erofs();
	ck_assert(renew_due());
	due = false;
	ck_assert_int_eq(unlink(PATH_RENEWED), 0);
	ck_assert_int_eq(symlink("elsewhere", PATH_RENEWED), 0);
	renew_erofs();
	ck_assert(!renew_due());
	ck_assert_int_eq(unlink(PATH_RENEWED), 0);
	ck_assert_int_eq(mkdir(PATH_RENEWED, 0755), 0);
	renew_erofs();
	ck_assert(!renew_due());
	ck_assert_int_eq(rmdir(PATH_RENEWED), 0);
}
END_TEST

/* A disk that fails for a moment is no new libcrypt. */
START_TEST(unseen)
{
	ck_assert_ptr_nonnull(libcrypt());
	ck_assert(!renew_due());
	breaks = true;
	ck_assert(!renew_due());
	breaks = false;
	ck_assert(!renew_due());
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("renew");
	TCase *c = tcase_create("renew");

	tcase_add_unchecked_fixture(c, make_folder, remove_folder);
	tcase_add_loop_test(c, once_an_hour, 0, COUNT(lasts));
	tcase_add_test(c, without_a_file);
	tcase_add_test(c, unseen);
	suite_add_tcase(suite, c);
	return check_apart(suite);
}
