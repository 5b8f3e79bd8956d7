/* SPDX-License-Identifier: BSD-2-Clause */
/* The log lines of lyra2d: each rule of report.h, by the clock of this test. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <time.h>

#include "check-main.h"
#include "devlog.h"
#include "pam/service/report.h"

static int64_t now;
static unsigned lines;
static char last[2048];

int clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	*t = (struct timespec){ now / 1000, now % 1000 * 1000000 };
	return 0;
}

static void start(void)
{
	devlog_open();
	lines = 0;
}

/* What has been logged since the last call, without the newline */
static const char *logged(void)
{
	const char *text = devlog_lines();
	const size_t len = strlen(text);

	if (len == 0)
		return "";
	lines++;
	ck_assert_ptr_eq(strchr(text, '\n'), text + len - 1);
	snprintf(last, sizeof(last), "%.*s", (int)len - 1, text);
	return last;
}

/* A line of a source at this time; returns what is logged, or "". */
static const char *line(uint64_t source, const char *text, int64_t time)
{
	now = time;
	report_line(source, LOG_NOTICE, "%s", text);
	return logged();
}

/* What is logged without a line, at this time */
static const char *tick(int64_t time)
{
	static const struct service none;

	now = time;
	report_tick(&none);
	return logged();
}

static int64_t wake(void)
{
	static const struct service none;

	return report_wake(&none);
}

#define LIMIT REPORT_LIMIT_MS

START_TEST(a_line_in_two_seconds)
{
	ck_assert_str_eq(line(1, "a", 1000), "a");
	ck_assert_str_eq(line(1, "b", 1000), "");
	ck_assert_str_eq(line(1, "c", 1000 + LIMIT - 1), "");
	ck_assert_str_eq(tick(1000 + LIMIT - 1), "");
	ck_assert_int_eq(wake(), 1000 + LIMIT);
	ck_assert_str_eq(tick(1000 + LIMIT), "2 more: c");
	ck_assert_str_eq(tick(1000 + LIMIT), "");
}
END_TEST

START_TEST(a_sum_is_a_line)
{
	ck_assert_str_eq(line(1, "a", 0), "a");
	ck_assert_str_eq(line(1, "b", 1), "");
	/* The sum comes late: the next line still waits for it. */
	ck_assert_str_eq(line(1, "c", 3 * LIMIT), "");
	ck_assert_str_eq(tick(3 * LIMIT), "2 more: c");
	ck_assert_str_eq(line(1, "d", 4 * LIMIT - 1), "");
	ck_assert_str_eq(tick(4 * LIMIT), "1 more: d");
	ck_assert_str_eq(line(1, "e", 5 * LIMIT), "e");
}
END_TEST

START_TEST(who_is_silent_costs_no_wake)
{
	ck_assert_int_eq(wake(), -1);
	ck_assert_str_eq(line(1, "a", 0), "a");
	ck_assert_int_eq(wake(), -1);
	ck_assert_str_eq(line(1, "b", LIMIT), "b");
	ck_assert_int_eq(wake(), -1);
}
END_TEST

START_TEST(the_next_sum_is_the_first_that_is_due)
{
	int i;

	for (i = 0; i < 2; i++) {
		line(1, "a", 100);
		line(2, "b", 50);
		line(3, "c", 70);
	}
	ck_assert_int_eq(wake(), 50 + LIMIT);
	ck_assert_str_eq(tick(50 + LIMIT), "1 more: b");
	ck_assert_int_eq(wake(), 70 + LIMIT);
}
END_TEST

START_TEST(sources_do_not_hinder_each_other)
{
	int i;

	ck_assert_str_eq(line(1, "a", 0), "a");
	for (i = 0; i < 50000; i++)
		ck_assert_str_eq(line(1, "a", i * LIMIT / 50000), "");
	ck_assert_str_eq(line(2, "b", 1), "b");
	ck_assert_str_eq(tick(LIMIT), "50000 more: a");
}
END_TEST

/* With as many sources as there are users, the number of lines has a bound. */
START_TEST(all_sources_have_a_limit)
{
	uint64_t i;

	for (i = 0; i < 65536; i++)
		line(i, "a", 0);
	ck_assert_uint_eq(lines, REPORT_SOURCES);
	ck_assert_int_eq(wake(), LIMIT);
	ck_assert_str_eq(tick(LIMIT), "65280 more: a");
	/* Then there are places again. */
	ck_assert_str_eq(line(70000, "a", LIMIT), "a");
}
END_TEST

START_TEST(long_lines_are_cut)
{
	char text[512];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_uint_eq(strlen(line(1, text, 0)), 127);
	ck_assert_str_eq(line(1, text, 0), "");
	ck_assert_uint_eq(strlen(tick(LIMIT)), strlen("1 more: ") + 127);
}
END_TEST

START_TEST(nothing_is_lost_at_the_end)
{
	ck_assert_str_eq(line(1, "a", 0), "a");
	ck_assert_str_eq(line(1, "b", 1), "");
	report_end();
	ck_assert_str_eq(logged(), "1 more: b");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *c = tcase_create("lines");

	check_descriptors(c);
	tcase_add_checked_fixture(c, start, devlog_close);
	tcase_add_test(c, a_line_in_two_seconds);
	tcase_add_test(c, a_sum_is_a_line);
	tcase_add_test(c, who_is_silent_costs_no_wake);
	tcase_add_test(c, the_next_sum_is_the_first_that_is_due);
	tcase_add_test(c, sources_do_not_hinder_each_other);
	tcase_add_test(c, all_sources_have_a_limit);
	tcase_add_test(c, long_lines_are_cut);
	tcase_add_test(c, nothing_is_lost_at_the_end);
	suite_add_tcase(suite, c);
	return check_apart(suite);
}
